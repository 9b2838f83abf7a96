import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { packageBin } from "./package-bin.ts";

/**
 * Builds the browser and Worker bundles into a folder, like `npm run build` into `build`.
 *
 * @param signal stops the build early, without an error
 * @param output "pipe" prints nothing and puts the output into the error when the build fails
 */
export async function buildInto(
  folder: string,
  signal?: AbortSignal,
  output: "inherit" | "pipe" = "inherit",
): Promise<void> {
  const remix = packageBin("@remix-run/dev", "remix");
  const child = spawn(process.execPath, [remix, "vite:build", "--logLevel", "warn"], {
    env: { ...process.env, BUILD_DIR: folder, NODE_ENV: "production" },
    stdio: ["ignore", output, output],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      log += chunk;
    });
  }
  const stop = () => child.kill();
  signal?.addEventListener("abort", stop);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  signal?.removeEventListener("abort", stop);
  if (code !== 0 && !signal?.aborted) throw new Error(`The build failed (exit code ${code}).\n${log}`.trim());
}

interface WorkerModule {
  type: "ESModule";
  path: string;
  contents?: string;
}

/** The modules of a build's Worker for Miniflare, the entry first. */
export function workerModules(buildFolder: string): WorkerModule[] {
  const folder = resolve(buildFolder, "server");
  const others = readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "index.js");
  return ["index.js", ...others].map((name) => ({ type: "ESModule", path: resolve(folder, name) }));
}
