import fc from "fast-check";
import { expect, test } from "vitest";
import { freeAttempts, lastStep, longestWait, waitAfter } from "#app/features/accounts/attempts.rules.ts";

test("five attempts are free, then the wait doubles up to 15 minutes", () => {
  const waits = Array.from({ length: 12 }, (_, index) => waitAfter(index + 1));
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15, 15]);
});

test("a wait is whole minutes, never decreases, and has a maximum", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (one, other) => {
      const [fewer, more] = [Math.min(one, other), Math.max(one, other)];
      expect(Number.isInteger(waitAfter(fewer))).toBe(true);
      expect(waitAfter(fewer)).toBeLessThanOrEqual(waitAfter(more));
      expect(waitAfter(more)).toBeLessThanOrEqual(longestWait);
      expect(waitAfter(one) === 0).toBe(one < freeAttempts);
    }),
  );
});

test("the last step is the first with the maximum wait", () => {
  expect(waitAfter(lastStep - 1)).toBeLessThan(longestWait);
  expect(waitAfter(lastStep)).toBe(longestWait);
});
