import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The path of a command in the `bin` field of an installed package. */
export function packageBin(packageName: string, command: string): string {
  const require = createRequire(import.meta.url);
  const manifestPath = require.resolve(`${packageName}/package.json`);
  const { bin } = require(manifestPath) as { bin?: Record<string, string> };
  const path = bin?.[command];
  if (!path) throw new Error(`${packageName} has no command "${command}".`);
  return join(dirname(manifestPath), path);
}
