import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((opened) => server.listen(0, "127.0.0.1", opened));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The process id of workerd, a child of this process. */
export async function workerdPid(): Promise<string> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (/^Name:\s+workerd$/m.test(status) && status.includes(`\nPPid:\t${process.pid}\n`)) return pid;
  }
  throw new Error("This process has no workerd child process.");
}
