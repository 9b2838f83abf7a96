import { expect, test } from "vitest";
import { sharedWork } from "#app/platform/shared-work.ts";

test("shared work is done once for all who ask while it is under way", async () => {
  const works = sharedWork<number>();
  let finish: (outcome: number) => void = () => {};
  const over = works.share("a", new Promise((resolve) => (finish = resolve)));
  const waiting = [works.join("a"), works.join("a")];
  expect([works.isUnderWay("a"), works.isUnderWay("b"), await works.join("b")]).toEqual([true, false, null]);
  finish(7);
  expect(await Promise.all(waiting)).toEqual([7, 7]);
  await over;
  expect([works.isUnderWay("a"), await works.join("a")]).toEqual([false, null]);
});

test("shared work that fails is done again by who waited for it", async () => {
  const works = sharedWork<number>();
  let fail: (fault: Error) => void = () => {};
  const over = works.share("a", new Promise((_, reject) => (fail = reject)));
  const waiting = works.join("a");
  fail(new Error("no"));
  expect(await waiting).toBeNull();
  await over;
  expect(works.isUnderWay("a")).toBe(false);
});
