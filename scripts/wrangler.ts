import { spawnSync } from "node:child_process";
import { packageBin } from "./package-bin.ts";

const wrangler = packageBin("wrangler", "wrangler");

/** Runs wrangler. If it fails, this process exits with its exit code. */
export function runWrangler(...args: string[]): void {
  const { status } = spawnSync(process.execPath, [wrangler, ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
