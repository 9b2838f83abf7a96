import assert from "node:assert/strict";
import type { Db } from "#app/db/client.server.ts";
import { fileReport, listReports } from "#app/features/reports/reports.server.ts";

export const keepsReportsNewestFirst = async (db: Db) => {
  for (let count = 1; count <= 26; count += 1) {
    await fileReport(db, { name: `Reporter ${count}`, email: "", details: "Ünï ✓ <b>" }, null);
  }
  const [first, second] = [await listReports(db, 1), await listReports(db, 2)];
  assert.deepEqual([first.rows.length, first.pages, second.rows.length, second.first], [25, 2, 1, 26]);
  const { id: _, ...newest } = first.rows[0] ?? {};
  assert.deepEqual(newest, { name: "Reporter 26", email: "", details: "Ünï ✓ <b>" });
  assert.equal(second.rows[0]?.name, "Reporter 1");
};

export const keepsAFormOnce = async (db: Db) => {
  const report = { name: "", email: "", details: "Twice" };
  const key = "01a1fc5d-2b29-75d6-9e09-afceeb617d04";
  await Promise.all([fileReport(db, report, key), fileReport(db, report, key)]);
  assert.equal((await listReports(db, 1)).rows.length, 1);
};
