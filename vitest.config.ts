import { defineConfig } from "vitest/config";

const build = "tests/harness/build.ts";

export default defineConfig({
  test: {
    // A market is a workerd of its own beside the test's process: two at a time keep two cores busy.
    maxWorkers: 2,
    hookTimeout: 120_000,
    testTimeout: 60_000,
    reporters: ["default", "tests/harness/count-reporter.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/unit/**/*.test.ts"] } },
      { extends: true, test: { name: "data", include: ["tests/data/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "worker", include: ["tests/worker/**/*.test.ts"], globalSetup: build, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          globalSetup: build,
          isolate: false,
        },
      },
    ],
  },
});
