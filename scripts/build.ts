import { spawn } from "node:child_process";
import { packageBin } from "./package-bin.ts";

/**
 * Builds browser and Worker bundles into a folder, as `npm run build` does into `build`.
 *
 * @param stopped ends the build early, without a fault
 * @param output "pipe" prints nothing and puts the output into the error when the build fails
 */
export async function buildInto(
  folder: string,
  stopped?: AbortSignal,
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
  stopped?.addEventListener("abort", stop);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  stopped?.removeEventListener("abort", stop);
  if (code !== 0 && !stopped?.aborted)
    throw new Error(`The build failed (exit code ${code}).\n${log}`.trim());
}
