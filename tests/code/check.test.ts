import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { test } from "vitest";

// Beside other tests, which together takes less time than one after the other.
test.each(["check:types", "check:lint"])("npm run %s", { timeout: 480_000 }, async (script) => {
  const run = promisify(execFile)("npm", ["run", "--silent", script], {
    env: { ...process.env, NO_COLOR: "1" },
  });
  await run.catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });
});
