import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  accountEmails,
  notifications,
  phones,
  recordedErrors,
  sessions,
  tickets,
  users,
} from "#app/db/schema.ts";
import { restoreFrom } from "../../scripts/backup.ts";
import { openLibsql } from "../../scripts/database.ts";
import { textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import {
  addAccount,
  addPhone,
  sessionSecret,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let admin: Visitor;
let adminId: string;
beforeAll(async () => {
  server = await startServer({
    emailQueue: "none",
    bindings: { MAIL_FROM: undefined, PUBLIC_ORIGIN: "https://ringback.example" },
  });
  const { id, email } = await addAccount(server.db, { userType: "Admin" });
  adminId = id;
  admin = visitor(server);
  await admin.signIn(email);
});
afterAll(() => server?.stop());

const systemPage = async () => textOf(await (await admin.get("/manage/system")).text());

test("administrators see what is set up, what is not, and what that means", async () => {
  const text = await systemPage();
  expect(text).toContain("Email service OK: The MAIL binding is set up.");
  expect(text).toContain("Sender of emails Needs a look: MAIL_FROM isn’t set. No emails go out");
  expect(text).toContain(
    "Email queue Needs a look: The EMAIL_QUEUE binding is missing. Emails are sent after each response.",
  );
  expect(text).toContain("Queue of imports Needs a look: The IMPORT_QUEUE binding is missing.");
  expect(text).toContain("Public origin OK:");
  expect(text).toContain("Google Needs a look:");
  expect(text).toContain("Photos OK:");
  expect(text).toContain("Storage of backups OK: The BACKUPS binding is set up.");
  expect(text).toContain("Last backup Needs a look: There’s none yet.");
  expect(text).toContain("Scheduled jobs Needs a look: They haven’t run yet.");
  expect(text).toContain("Emails of the last day OK: None waiting.");
  expect(text).toContain("Imports OK: None running.");
  // What needs a look stands first.
  expect(text.indexOf("Last backup Needs a look")).toBeLessThan(text.indexOf("Email service OK"));
  expect(text).toMatch(/Database OK: D1, (?!0\.0)\d+\.\d MB\./);
  expect(text).toMatch(/Version OK: \d+\.\d+\.\d+/);
  for (const value of [sessionSecret, "ringback.example"]) expect(text).not.toContain(value);
  expect(textOf(await (await admin.get("/manage")).text())).toContain("System");
});

test("administrators see on a user's page and on System why an email did not go out", async () => {
  const { id } = await addAccount(server.db);
  const row = { userId: id, kind: "review", subject: "", path: "/", emailDoneAt: new Date() } as const;
  await server.db.insert(notifications).values([
    { ...row, event: "1", emailOutcome: "switched off" },
    { ...row, event: "2", emailOutcome: "too late" },
    { ...row, event: "3", emailDoneAt: null },
  ]);
  const page = textOf(await (await admin.get(`/manage/users/${id}`)).text());
  for (const outcome of ["not sent: switched off on My account", "not sent: it couldn’t go out", "waiting"])
    expect(page).toContain(`Reviews of you Email ${outcome}`);
  expect(await systemPage()).toContain(
    "Emails of the last day Needs a look: 1 not sent: switched off on My account. 1 not sent: it couldn’t go out within a day. 1 waiting in all.",
  );
  await server.db.delete(notifications);
});

test("the log names what is not set up, once", async () => {
  for (const path of ["/about", "/products"]) await visitor(server).get(path);
  const lines = server
    .log()
    .split("\n")
    .filter((line) => line.includes('"not set up"'));
  expect(lines.map((line) => JSON.parse(line).missing)).toEqual([
    ["Sender of emails", "Email queue", "Queue of imports", "Google"],
  ]);
});

test("the jobs back up the database once a day, keep it for 30 days, and it can be restored", async () => {
  const bucket = await server.bucket("BACKUPS");
  const daysAgo = (days: number) =>
    `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}.sql`;
  for (const days of [30, 31]) await bucket.put(daysAgo(days), "");
  await addPhone(server.db, { sellingReason: "It's; --\n\u0000 \u{1F4F1}" });
  for (let runs = 1; runs <= 2; runs += 1) await server.tick();
  expect((await bucket.list()).objects.map(({ key }) => key)).toEqual([daysAgo(30), daysAgo(0)]);
  expect(await systemPage()).toContain(`Last backup OK: ${daysAgo(0)}, 0.0 MB.`);

  const backup = (await (await bucket.get(daysAgo(0)))?.text()) ?? "";
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  const libsql = await startLibsql();
  try {
    const restored = await openLibsql(libsql.url);
    const file = join(folder, "backup.sql");
    await writeFile(file, backup);
    await restoreFrom(file, restored);
    for (const table of [phones, users])
      expect(await restored.select().from(table)).toEqual(await server.db.select().from(table));
    expect([await server.db.$count(sessions), await restored.$count(sessions)]).toEqual([1, 0]);
  } finally {
    await Promise.all([libsql.stop(), rm(folder, { recursive: true })]);
  }
});

test("administrators see when the scheduled jobs ran, and which failed", async () => {
  await server.tick();
  expect(await systemPage()).toMatch(/Scheduled jobs OK: Last run on .* UTC\. Nothing failed\./);
  expect(await systemPage()).toContain("Waiting for the jobs OK: No payment steps, events or listings.");
  const message = { kind: "from us", subject: "Hello", path: "/manage", event: "hello" } as const;
  await server.db.insert(notifications).values({ userId: adminId, ...message });
  // An email that could not be sent waits no more.
  const unsent = { userId: adminId, kind: "token created", emailOutcome: "too late" } as const;
  await server.db.insert(accountEmails).values(unsent);
  expect(await systemPage()).toMatch(
    /Emails of the last day Needs a look: .*Some couldn’t be sent\. 1 waiting in all\./,
  );
  expect(await systemPage()).toContain("Waiting for the jobs OK: No payment steps");
  await server.db.delete(accountEmails);
  await server.db.delete(notifications);
  await server.db.run(sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers limit 1001)
    insert into provider_events (id, type, object_id, received_at) select n, '', '', 0 from numbers`);
  expect(await systemPage()).toContain("jobs OK: 1,000 or more events of the payment provider.");
  await server.db.run(sql`delete from provider_events`);
  await server.db.run(sql`drop table sent_emails`);
  await expect(server.tick()).rejects.toThrow("failed");
  expect(await systemPage()).toContain(
    "Failed: review invitations, records of sent emails. The next run tries again",
  );
  // Each alarm is told once, however often the jobs fail.
  await expect(server.tick()).rejects.toThrow("failed");
  const alarms = () => server.db.select().from(notifications).where(eq(notifications.kind, "system alarm"));
  expect(await alarms()).toMatchObject([
    { userId: adminId, details: { alarms: ["jobs"], figures: { jobs: 2 } } },
  ]);
  expect(textOf(await (await admin.get("/manage/notifications")).text())).toContain(
    "Needs a look: scheduled jobs failed (2).",
  );
  await server.db.run(sql`update job_runs set finished_at = finished_at - 3600000`);
  expect(await systemPage()).toContain("They should run every 10 minutes.");
});

test("System counts failed pages by kind and hour, and a report that names a reference shows which", async () => {
  expect(await systemPage()).toContain("Errors OK: None in the last day.");
  await server.db.run(sql`drop table daily_demand`);
  const failed = await admin.get("/manage/numbers?days=7");
  expect(failed.status).toBe(500);
  const [, reference = ""] = textOf(await failed.text()).match(/Reference: ([0-9a-f-]{36})/) ?? [];
  await expect.poll(systemPage).toContain("Errors OK: 1 in the last hour, 1 in the last day.");
  expect(await systemPage()).toContain(
    "500 GET /manage/numbers 1 in the last hour, 1 in the last day Newest:",
  );
  expect(await systemPage()).toContain(reference);
  const details = `It says ${reference.toUpperCase()}, and ${crypto.randomUUID()}.`;
  const [report] = await server.db.insert(tickets).values({ name: "", email: "", details }).returning();
  const page = textOf(await (await admin.get(`/manage/reports/${report?.id}`)).text());
  expect(page).toMatch(new RegExp(`Errors named below 500 GET /manage/numbers .*, reference ${reference} `));
  const earlier = Date.now() - 2 * 3_600_000;
  await server.db.run(sql`update recorded_errors set created_at = ${earlier}`);
  expect(await systemPage()).toContain("Errors OK: 0 in the last hour, 1 in the last day.");
  for (let times = 0; times < 20; times += 1) await (await admin.get("/manage/numbers")).text();
  await expect.poll(systemPage).toContain("Errors Needs a look: 20 in the last hour, 21 in the last day.");
  await server.db.run(sql`delete from notifications`);
  await expect(server.tick()).rejects.toThrow("failed");
  const told = await server.db.select().from(notifications).where(eq(notifications.kind, "system alarm"));
  expect(told.map(({ details }) => details)).toEqual([
    { alarms: ["jobs", "errors"], figures: { jobs: expect.any(Number), errors: 20 } },
  ]);
  expect(textOf(await (await admin.get("/manage/notifications")).text())).toContain(
    "many pages fail (20 errors in an hour, limit 20).",
  );
  await server.db.run(sql`update recorded_errors set created_at = 0`);
  await expect(server.tick()).rejects.toThrow("failed");
  expect(await server.db.$count(recordedErrors)).toBe(0);
});
