import { defineConfig } from "vitest/config";

const build = "tests/harness/build.ts";

export default defineConfig({
  test: {
    // Each waits for its workerd, Chromium or the clock at times: three keep two cores busy.
    maxWorkers: 3,
    hookTimeout: 120_000,
    testTimeout: 60_000,
    // The default of one second is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // "minimal" prints failures only, and the console output of failed tests only.
    reporters: ["minimal", "tests/harness/count-reporter.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: ["tests/unit/**/*.test.ts"], isolate: false } },
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
