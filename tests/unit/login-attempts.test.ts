import fc from "fast-check";
import { expect, test } from "vitest";
import {
  freeAttempts,
  maxWaitAttempts,
  maxWaitMinutes,
  waitMinutes,
} from "#app/features/accounts/login-attempts.server.ts";

test("five attempts are free, then the wait doubles up to a quarter of an hour", () => {
  const waits = Array.from({ length: 12 }, (_, index) => waitMinutes(index + 1));
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15, 15]);
});

test("a wait is whole minutes, never shrinks, and never passes the longest", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (one, other) => {
      const [fewer, more] = [Math.min(one, other), Math.max(one, other)];
      expect(Number.isInteger(waitMinutes(fewer))).toBe(true);
      expect(waitMinutes(fewer)).toBeLessThanOrEqual(waitMinutes(more));
      expect(waitMinutes(more)).toBeLessThanOrEqual(maxWaitMinutes);
      expect(waitMinutes(one) === 0).toBe(one < freeAttempts);
    }),
  );
});

test("the steps end where the longest wait begins", () => {
  expect(waitMinutes(maxWaitAttempts - 1)).toBeLessThan(maxWaitMinutes);
  expect(waitMinutes(maxWaitAttempts)).toBe(maxWaitMinutes);
});
