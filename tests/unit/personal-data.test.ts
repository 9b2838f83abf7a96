import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { expect, test } from "vitest";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { eraseAccount } from "#app/features/profile/account-erasure.server.ts";

const person: Parameters<typeof exportAccountData>[1] = {
  id: "id",
  name: "Ada",
  email: "ada@example.com",
  userType: "Seller",
  suspensionId: null,
  suspendedUntil: null,
  moderatorSince: null,
  sessionVersion: 0,
};

const tables = Object.values<unknown>(schema)
  .filter((value) => is(value, SQLiteTable))
  .map(getTableName)
  .sort();

/** Hold nothing of a person, or only hashes, random values and ids of what they are about. */
const impersonal = [
  "announcements",
  "brands",
  "daily_demand",
  "daily_numbers",
  "device_variants",
  "empty_searches",
  "idempotency_keys",
  "job_runs",
  "listed_counts",
  "log_in_attempts",
  "page_versions",
  "saved_replies",
  "recorded_errors",
  "payment_differences",
  "provider_events",
  "removals",
  "revisions",
  "saved_listing_changes",
  "search_words",
  "sent_emails",
  "uncounted_days",
  "used_oauth_states",
  "usual_prices",
];

/** Follow other tables by triggers or foreign keys. */
const dependent = ["ledger_sums", "record_numbers", "saved_search_keys", "tab_counts"];

test("each table is in the export of personal data, or has a reason not to be", async () => {
  const statements: string[] = [];
  // The reports of an account are exported if its address is confirmed.
  const account = Array(13).fill("1");
  const db: Db = drizzle(async (statement) => {
    statements.push(statement);
    return { rows: statement.includes('"password_hash"') ? [account] : [] };
  });
  for await (const _text of exportAccountData(db, person));
  const exported = statements.flatMap((statement) =>
    [...statement.matchAll(/\b(?:from|join) "(\w+)"/g)].map(([, table = ""]) => table),
  );
  const left = [
    ...impersonal,
    ...dependent,
    // Carried out or undone within minutes.
    "pending_decisions",
    // Secrets and what waits to be sent.
    "account_emails",
    "one_time_tokens",
    // Of staff, about others or their own work.
    "activity",
    "notes",
    "signals",
    "work_claims",
    // A hash, deleted after days.
    "sign_up_addresses",
    // Asks for what the exported ledger then says.
    "payment_tasks",
    "unmatched_listings",
  ];
  expect([...new Set([...exported, ...left])].sort()).toEqual(tables);
  expect(left.filter((table) => exported.includes(table))).toEqual([]);
});

test("each table is emptied of a person who is erased, or has a reason not to be", () => {
  const db: Db = drizzle(async () => ({ rows: [] }));
  const erased = eraseAccount(db, person).map(
    (statement) => /^(?:delete from|update) "(\w+)"/.exec(statement.toSQL().sql)?.[1] ?? "",
  );
  const left = [
    ...impersonal,
    ...dependent,
    // Carried out or undone within minutes.
    "pending_decisions",
    // Stay for the other side, with an id without a person.
    "content_reports",
    "ledger_entries",
    "order_problem_steps",
    "order_problems",
    "order_steps",
    "payment_tasks",
    "payments",
    "reviews",
    // Go with their listing, or their import.
    "listing_views",
    "listing_import_rows",
  ];
  expect([...new Set([...erased, ...left])].sort()).toEqual(tables);
  expect(left.filter((table) => erased.includes(table))).toEqual([]);
});
