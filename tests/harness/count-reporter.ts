import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** Prints the counts of a run as its last line, for CI. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
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
