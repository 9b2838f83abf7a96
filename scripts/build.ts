import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Builds browser and Worker bundles into a folder, as `npm run build` does into `build`.
 *
 * @param signal ends the build, which then throws
 */
export async function buildInto(folder: string, signal?: AbortSignal): Promise<void> {
  const remix = join(
    dirname(createRequire(import.meta.url).resolve("@remix-run/dev/package.json")),
    "dist/cli.js",
  );
  const child = spawn(process.execPath, [remix, "vite:build", "--logLevel", "warn"], {
    env: { ...process.env, BUILD_DIR: folder, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`The build failed (exit code ${code}).`);
}
