import { expect, test } from "vitest";
import { boundedMemory } from "#app/platform/bounded-memory.ts";
import { type CacheEntry, sizeOf } from "#app/platform/cache-entry.server.ts";

const memoryOf = (mostBytes: number) => boundedMemory(mostBytes, sizeOf);

function entry(bytes: number, header = ""): CacheEntry {
  const body = new Uint8Array(bytes);
  return { body, blanks: [], headers: [["Link", header]], etag: "", keptAt: 0, mark: "" };
}

test("small entries count with their keys, their headers and what holds them", () => {
  const bare = memoryOf(20 * 1024);
  for (let count = 0; count < 100; count += 1) bare.set(`key ${count}`, entry(0));
  const keptOf = (memory: ReturnType<typeof memoryOf>, names: string[]) =>
    names.filter((name) => memory.get(name)).length;
  const names = Array.from({ length: 100 }, (_, count) => `key ${count}`);
  expect(keptOf(bare, names)).toBe(19);

  const wordy = memoryOf(20 * 1024);
  for (const name of names) wordy.set(name, entry(0, "x".repeat(1024)));
  expect(keptOf(wordy, names)).toBe(6);
  const long = names.map((name) => name + "x".repeat(1024));
  for (const name of long) wordy.set(name, entry(0));
  expect([keptOf(wordy, names), keptOf(wordy, long)]).toEqual([0, 6]);
});

test("what is dropped or replaced takes nothing, and what was asked for last stays", () => {
  const memory = memoryOf(10 * 1024);
  for (let count = 0; count < 50; count += 1) memory.set("same", entry(6 * 1024));
  memory.set("other", entry(1024));
  expect([memory.get("other"), memory.get("same")]).not.toContain(null);
  memory.drop("same");
  memory.drop("same");
  memory.set("third", entry(6 * 1024));
  expect([memory.get("other"), memory.get("third"), memory.get("same")]).toEqual([
    expect.anything(),
    expect.anything(),
    null,
  ]);
  memory.set("too large", entry(10 * 1024));
  expect(memory.get("too large")).toBeNull();
});

test("what was asked for longest ago goes first", () => {
  const memory = memoryOf(12 * 1024);
  memory.set("a", entry(4 * 1024));
  memory.set("b", entry(4 * 1024));
  memory.get("a");
  memory.set("c", entry(4 * 1024));
  expect(["a", "b", "c"].map((key) => memory.get(key) !== null)).toEqual([true, false, true]);
});
