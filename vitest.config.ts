import "./scripts/node-version.js";
import { defineConfig } from "vitest/config";
import { markdownSections } from "./scripts/markdown-sections.ts";

/** Tests that share processes, what is started in them, and a global set-up. */
const project = (
  name: string,
  directories: string,
  setUp: { globalSetup?: string[]; setupFiles?: string[] } = {},
) => ({
  extends: true as const,
  test: { name, include: [`tests/${directories}/**/*.test.ts`], isolate: false, ...setUp },
});
const databases = "tests/harness/databases.ts";

export default defineConfig({
  // Tests read what page routes declare.
  plugins: [markdownSections()],
  test: {
    // Each waits for its workerd, Chromium or the clock at times: three keep two cores busy.
    maxWorkers: 3,
    hookTimeout: 240_000,
    testTimeout: 240_000,
    // The default of one second is too short for a busy machine.
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: "slow", description: "What `npm test` leaves to `npm run test:all`." }],
    // "minimal" prints failures only, and the console output of failed tests only.
    reporters: ["minimal", "tests/harness/summary-reporter.ts"],
    projects: [
      // Set up in this order, and run in that of their names: the first need no build, which takes a while.
      project("product", "{worker,browser}", {
        globalSetup: ["tests/harness/build.ts", databases],
        setupFiles: ["tests/harness/await-build.ts"],
      }),
      project("code", "{unit,code}"),
      project("data", "data", { globalSetup: [databases] }),
    ],
  },
});
