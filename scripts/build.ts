import { spawn } from "node:child_process";
import { packageBin } from "./package-bin.ts";

/**
 * Builds the browser and Worker bundles into a folder, like `npm run build` into `build`.
 *
 * @param signal stops the build early, without an error
 */
export async function buildInto(folder: string, signal?: AbortSignal): Promise<void> {
  const remix = packageBin("@remix-run/dev", "remix");
  const child = spawn(process.execPath, [remix, "vite:build", "--logLevel", "warn"], {
    env: { ...process.env, BUILD_DIR: folder, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const stop = () => child.kill();
  signal?.addEventListener("abort", stop);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  signal?.removeEventListener("abort", stop);
  if (code !== 0 && !signal?.aborted) throw new Error(`The build failed (exit code ${code}).`);
}
