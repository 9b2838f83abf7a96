import { describe, expect, test } from "vitest";
import { standing } from "#app/platform/cache-age.ts";

describe("an entry", () => {
  const keptAt = 1_000_000;
  const after = (seconds: number, mark = "one") =>
    standing({ keptAt, mark: "one" }, { now: keptAt + seconds * 1000, mark, freshSeconds: 60 });

  test.each([
    [0, "fresh"],
    [59.999, "fresh"],
    [60, "stale"],
    [659.999, "stale"],
    [660, "spent"],
  ])("of %s seconds is %s", (seconds, stands) => {
    expect(after(seconds)).toBe(stands);
  });

  test("made before a write is spent at once, and so is none", () => {
    expect(after(0, "two")).toBe("spent");
    expect(standing(null, { now: 0, mark: "one", freshSeconds: 60 })).toBe("spent");
  });
});
