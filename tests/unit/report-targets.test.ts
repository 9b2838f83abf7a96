import { expect, test } from "vitest";
import { isTargetKind } from "#app/features/moderation/reports/content-report.rules.ts";

test("only known kinds of content can be reported", () => {
  expect(["listing", "message", "toString", "constructor", "", undefined].filter(isTargetKind)).toEqual([
    "listing",
    "message",
  ]);
});
