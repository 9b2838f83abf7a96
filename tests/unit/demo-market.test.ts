import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { withDatabase } from "../../scripts/database.ts";
import { fillLocalState } from "../../scripts/demo/local-market.ts";
import { openLocalState } from "../../scripts/local-state.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringback-market-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("no demo data without a note that its photographs are missing", async () => {
  const state = await openLocalState(folder);
  // In the way of the note.
  await mkdir(join(folder, "demo-photos-unfinished"));
  await expect(fillLocalState(state)).rejects.toThrow("EISDIR");
  expect(await withDatabase(state, (db) => db.$count(users))).toBe(0);
});
