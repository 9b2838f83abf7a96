import { expect, test } from "vitest";
import { isTargetKind, targetLabel } from "#app/features/moderation/reports/content-report.rules.ts";

test("only known kinds of content can be reported", () => {
  expect(["listing", "message", "toString", "constructor", "", undefined].filter(isTargetKind)).toEqual([
    "listing",
    "message",
  ]);
});

test.each([
  ["listing", "Nokia 8", "Nokia 8"],
  ["seller", "Ann", "Ann"],
  ["review", "Ann", "Review by Ann"],
  ["message", "Ann", "Message from Ann"],
  ["review", "", "Deleted review"],
  // Stored by an earlier version.
  ["review", "Review by Ann", "Review by Ann"],
  ["listing", "Deleted listing", "Deleted listing"],
] as const)("a %s of %j is called %j", (kind, name, text) => {
  expect(targetLabel(kind, name)).toBe(text);
});
