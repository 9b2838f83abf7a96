import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForEmail } from "../harness/emails.ts";
import { textOf } from "../harness/html.ts";
import { visitor } from "../harness/server.ts";

let folder: string;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringback-start-"));
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Runs `npm start` with its own state. */
function start(environment: Record<string, string> = {}) {
  const { LIBSQL_URL: _, SESSION_SECRET: _secret, GOOGLE_CLIENT_ID: _id, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/start.ts"], {
    env: { ...inherited, PORT: "0", STATE_DIR: folder, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const ended = once(child, "exit").then(([code, signal]) => {
    running.delete(child);
    return { code, signal, log };
  });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });

  const lines = createInterface(child.stdout);
  async function line(pattern: RegExp): Promise<RegExpMatchArray> {
    const printed = new Promise<RegExpMatchArray>((resolve) => {
      lines.on("line", (text) => {
        const match = text.match(pattern);
        if (match) resolve(match);
      });
    });
    const over = ended.then(() => {
      throw new Error(`It ended before it printed ${pattern}:\n${log}`);
    });
    return Promise.race([printed, over]);
  }

  return { pid: child.pid ?? 0, kill: (signal: NodeJS.Signals) => child.kill(signal), ended, line };
}

/** The child processes whose command has a word, which excludes the transpiler's helper. */
function childrenOf(parent: number, word: string): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = [...table.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)];
  return rows.flatMap(([, pid, ppid, command]) =>
    Number(ppid) === parent && command?.includes(word) ? [Number(pid)] : [],
  );
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const opened = /^Ringback is running at (http:\/\/localhost:\d+)(.*)$/;

describe("the start command", () => {
  test("serves the marketplace with demo data, keeps its state, and ends all its processes", async () => {
    const first = start();
    const mails = first.line(/^Emails are written to (.*)$/);
    const [, address = "", filled] = await first.line(opened);
    expect(filled).toBe(", filled with demo data");
    const someone = visitor({ url: address });
    expect(textOf(await (await someone.get("/products")).text())).toContain("Buy Now");
    await someone.logIn("buyer@example.com", "ringback1");
    const [, outbox = ""] = await mails;
    expect(outbox).toBe(join(folder, "outbox"));
    const signUp = { name: "Mia Sund", email: "mia@example.com", password: "secret1" };
    expect((await visitor({ url: address }).post("/signup", signUp)).status).toBe(303);
    expect((await waitForEmail({ outbox }, signUp.email)).text).toContain(`${address}/verify?token=`);
    const workers = childrenOf(first.pid, "workerd");
    expect(workers).toHaveLength(1);
    first.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ code: 0, signal: null });
    expect(workers.filter(lives)).toEqual([]);

    const second = start({ READY_BUILD: join(folder, "build") });
    const [, again = "", refilled] = await second.line(opened);
    expect(refilled).toBe("");
    await visitor({ url: again }).logIn(signUp.email, signUp.password);
    // The secret was kept, so sessions are still valid.
    const returned = visitor({ url: again });
    for (const [name, value] of someone.cookies) returned.cookies.set(name, value);
    expect((await returned.get("/manage")).status).toBe(200);
    const others = childrenOf(second.pid, "workerd");
    expect(others).toHaveLength(1);
    second.kill("SIGINT");
    expect(await second.ended).toMatchObject({ code: 0, signal: null });
    expect(others.filter(lives)).toEqual([]);
  }, 180_000);

  test("stops at once during the build, and ends the build process", async () => {
    const broken = start();
    // The first line of the build.
    await broken.line(/daisyUI/);
    const builders = childrenOf(broken.pid, "vite:build");
    expect(builders).toHaveLength(1);
    broken.kill("SIGTERM");
    expect(await broken.ended).toMatchObject({ code: 0, signal: null, log: "" });
    expect(builders.filter(lives)).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["port that is not a number", { PORT: "http" }, "PORT is not a port number from 0 to 65535."],
    ["port out of range", { PORT: "65536" }, "PORT is not a port number from 0 to 65535."],
    [
      "secret that is too short",
      { SESSION_SECRET: "hunter2" },
      "SESSION_SECRET is shorter than 32 characters",
    ],
    [
      "set of Google settings with one missing",
      { GOOGLE_CLIENT_SECRET: "hunter2" },
      "GOOGLE_CLIENT_ID is required together with GOOGLE_CLIENT_SECRET",
    ],
    ["sender", { MAIL_FROM: "hunter2" }, "MAIL_FROM is not an email address"],
    ["database URL", { LIBSQL_URL: "nowhere" }, "LIBSQL_URL is not a URL"],
  ])("explains an invalid %s in one line, without its value", async (_, environment, message) => {
    const { code, log } = await start(environment).ended;
    expect(code).toBe(1);
    expect(log).toContain(message);
    expect(log.trim().split("\n")).toHaveLength(1);
    expect(log).not.toContain("hunter2");
  });
});
