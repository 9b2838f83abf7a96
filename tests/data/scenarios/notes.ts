import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, logins, notes, tickets, users } from "#app/db/schema.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { addNote, listNotes } from "#app/features/administration/notes.server.ts";
import { listTimeline } from "#app/features/administration/timeline.server.ts";
import { verifySeller } from "#app/features/administration/user-actions.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { ticketNumber } from "#app/features/support-tickets/ticket-table.rules.ts";
import { dayMs } from "#app/time.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../harness/fixtures.ts";

const admin = (db: Db) => addAccount(db, { userType: "Admin", name: "Ada Boss" });
const note = (text: string, formKey: string | null = null) => ({ text, formKey });

export const aNoteIsWrittenOnceAndLogged = async (db: Db) => {
  const [boss, user] = [await admin(db), await addAccount(db)];
  const subject = { kind: "user", id: user.id } as const;
  const written = await Promise.all(
    [1, 2].map(() => addNote(db, boss, subject, note("Calls often.", "key"))),
  );
  assert.deepEqual(written, [true, true]);
  assert.equal(await addNote(db, boss, subject, note("Calls daily.")), true);
  const { rows, hasMore } = await listNotes(db, subject);
  assert.deepEqual(
    [hasMore, ...rows.map(({ text, author }) => `${author}: ${text}`)],
    [false, "Ada Boss: Calls daily.", "Ada Boss: Calls often."],
  );
  assert.deepEqual((await listNotes(db, { kind: "listing", id: user.id })).rows, []);
  const log = await db.select().from(activity);
  assert.deepEqual(
    log.map(({ action, target, targetId }) => [action, target, targetId]),
    Array(2).fill(["wrote note", user.email, user.id]),
  );
  assert.equal(await addNote(db, boss, { kind: "order", id: user.id }, note("x")), false);
  await db.update(users).set({ removalId: "removed" }).where(eq(users.id, boss.id));
  assert.equal((await listNotes(db, subject)).rows[0]?.author, "Former member");

  for (let index = 0; index < 50; index += 1) await addNote(db, boss, subject, note(`${index}`));
  const crowded = await listNotes(db, subject);
  assert.deepEqual([crowded.rows.length, crowded.hasMore], [50, true]);

  let exported = "";
  for await (const part of exportAccountData(db, user)) exported += part;
  assert.ok(exported.includes(user.email) && !exported.includes("Calls"));
};

export const aTimelineTellsWhatHappenedNewestFirst = async (db: Db) => {
  const [boss, seller] = [await admin(db), await addAccount(db, { userType: "Seller" })];
  const phone = await addPhone(db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
  const buyer = await addAccount(db);
  const orderId = await addReceivedOrder(db, buyer, seller);
  const spam = { reason: "duplicate", details: "" } as const;
  await reportContent(db, buyer, "listing", phone.id, spam);
  await decide(
    db,
    boss,
    "listing",
    phone.id,
    { decision: "warn", reason: "Once is enough.", days: "7" },
    null,
  );
  await verifySeller(db, boss, seller.id);
  const [ticket] = await db
    .insert(tickets)
    .values({ name: "", email: seller.email.toUpperCase(), details: "It broke." })
    .returning();
  await addNote(db, boss, { kind: "user", id: seller.id }, note("Calls often."));
  await addNote(db, boss, { kind: "order", id: orderId }, note("Paid late."));
  // Of somebody else.
  await addPhone(db);
  const told = async (id: string) =>
    (await listTimeline(db, boss, id)).rows.map(({ event, text, by }) => [event, text, by].join("|"));
  const [sold] = (await told(buyer.id))
    .filter((line) => line.startsWith("Booked"))
    .map((line) => line.split("|")[1]);
  const lines = await told(seller.id);
  assert.deepEqual(lines.slice(0, 5), [
    "Note|Calls often.|Ada Boss",
    `Support ticket|${ticketNumber(ticket?.id ?? "")}, It broke.|`,
    `Staff|verified seller|${boss.email}`,
    "Warned them about|Nokia G22|Ada Boss",
    "Was reported|listing: Duplicate or spam|",
  ]);
  assert.deepEqual(
    lines.slice(5).toSorted(),
    ["Listed|Nokia G22|", `Listed|${sold}|`, "Signed up|Seller|", `Was booked|${sold}|`].toSorted(),
  );
  assert.equal(lines.at(-1), "Signed up|Seller|");
  assert.equal((await told(buyer.id))[0], "Note|Paid late.|Ada Boss");

  // Paged both ways, without gaps.
  for (let index = 0; index < 40; index += 1) {
    await db
      .insert(notes)
      .values({ subjectKind: "user", subjectId: buyer.id, authorId: boss.id, text: `${index}` });
  }
  const seen: string[] = [];
  let page = await listTimeline(db, boss, buyer.id);
  for (; page.next; page = await listTimeline(db, boss, buyer.id, { after: page.next })) {
    seen.push(...page.rows.map(({ id }) => id));
  }
  const all = [...seen, ...page.rows.map(({ id }) => id)];
  assert.deepEqual([all.length, all], [44, all.toSorted().toReversed()]);
  const before = await listTimeline(db, boss, buyer.id, { before: page.previous ?? "" });
  assert.deepEqual(
    before.rows.map(({ id }) => id),
    seen.slice(-15),
  );
};

/** The first login of each day stays in the timeline for 90 days. */
export const theTimelineTellsLoginsByDay = async (db: Db) => {
  const [user, boss] = [await addAccount(db), await addAccount(db, { userType: "Admin" })];
  const logIn = () => openSession(db, user, { seconds: 60 });
  await logIn();
  await logIn();
  const logInsTold = async () =>
    (await listTimeline(db, boss, user.id)).rows.filter(({ event }) => event === "Logged in").length;
  assert.equal(await logInsTold(), 1);
  await db.update(logins).set({ day: sql`${logins.day} - 1` });
  await logIn();
  assert.equal(await logInsTold(), 2);
  await purgeRemovals(db, new Date(Date.now() + 89 * dayMs));
  assert.equal(await logInsTold(), 2);
  await purgeRemovals(db, new Date(Date.now() + 91 * dayMs));
  assert.equal(await logInsTold(), 0);
};
