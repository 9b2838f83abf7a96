import { dirname, relative } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** Prints where the time of a run went, and as its last line the counts, for CI. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    if (modules.length > 1) process.stdout.write(`${timesOf(modules).join("\n")}\n`);
    // Errors outside tests (a file, a hook, an unhandled rejection) are failures too.
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "skipped" : state] += 1;
      }
    }
    const { passed, failed, skipped } = counts;
    process.stdout.write(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`);
  }
}

/** The seconds of each directory of tests, and of the ten files that took longest, with their imports and hooks. */
function timesOf(modules: readonly TestModule[]): string[] {
  const files = modules.map((module) => {
    const { duration, collectDuration } = module.diagnostic();
    return { name: relative("", module.moduleId), seconds: (duration + collectDuration) / 1000 };
  });
  const directories = new Map<string, number>();
  for (const { name, seconds } of files) {
    const directory = dirname(name);
    directories.set(directory, (directories.get(directory) ?? 0) + seconds);
  }
  const longestFirst = (times: { name: string; seconds: number }[]) =>
    times
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, 10)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`);
  return [
    ...longestFirst([...directories].map(([name, seconds]) => ({ name, seconds }))),
    "",
    ...longestFirst(files),
  ];
}
