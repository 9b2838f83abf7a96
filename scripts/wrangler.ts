import { spawnSync } from "node:child_process";
import { packageBin } from "./package-bin.ts";

const wrangler = packageBin("wrangler", "wrangler");

/** Runs wrangler for what only Cloudflare can do; ends this process with its exit code when it fails. */
export function runWrangler(...words: string[]): void {
  const { status } = spawnSync(process.execPath, [wrangler, ...words], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
