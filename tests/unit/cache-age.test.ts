import { describe, expect, test } from "vitest";
import { standing } from "#app/platform/cache-age.ts";
import type { CacheEntry } from "#app/platform/cache-entry.server.ts";
import { cacheMemory } from "#app/platform/cache-memory.ts";
import { sharedWork } from "#app/platform/shared-work.ts";

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

describe("the memory", () => {
  const entry = (bytes: number) => ({ body: new Uint8Array(bytes) }) as CacheEntry;

  test("lets go of what was asked for longest ago, when it is full", () => {
    const memory = cacheMemory(100);
    memory.set("a", entry(40));
    memory.set("b", entry(40));
    memory.get("a");
    memory.set("c", entry(40));
    expect(["a", "b", "c"].map((key) => memory.get(key) !== null)).toEqual([true, false, true]);
  });

  test("counts what is replaced, dropped or too large only as long as it is there", () => {
    const memory = cacheMemory(100);
    for (let round = 0; round < 10; round += 1) memory.set("a", entry(60));
    memory.set("huge", entry(101));
    memory.set("b", entry(40));
    expect(["a", "b", "huge"].map((key) => memory.get(key) !== null)).toEqual([true, true, false]);
    memory.drop("a");
    memory.drop("never there");
    memory.set("c", entry(60));
    expect(["a", "b", "c"].map((key) => memory.get(key) !== null)).toEqual([false, true, true]);
  });
});

describe("shared work", () => {
  test("is done once for all who ask while it is under way", async () => {
    const works = sharedWork<number>();
    let finish: (outcome: number) => void = () => {};
    const over = works.share("a", new Promise((resolve) => (finish = resolve)));
    const waiting = [works.join("a"), works.join("a")];
    expect([works.isUnderWay("a"), works.isUnderWay("b"), await works.join("b")]).toEqual([
      true,
      false,
      null,
    ]);
    finish(7);
    expect(await Promise.all(waiting)).toEqual([7, 7]);
    await over;
    expect([works.isUnderWay("a"), await works.join("a")]).toEqual([false, null]);
  });

  test("that fails is done again by who waited for it", async () => {
    const works = sharedWork<number>();
    let fail: (fault: Error) => void = () => {};
    const over = works.share("a", new Promise((_, reject) => (fail = reject)));
    const waiting = works.join("a");
    fail(new Error("no"));
    expect(await waiting).toBeNull();
    await over;
    expect(works.isUnderWay("a")).toBe(false);
  });
});
