import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  idempotencyKeys,
  listingDrafts,
  listingImportRows,
  listingImports,
  orderProblems,
  passkeys,
  payoutAccounts,
  photos,
  priceChanges,
  reviews,
  savedAddresses,
  savedSearches,
  signUpAddresses,
  tickets,
} from "#app/db/schema.ts";
import { createPersonalAccessToken } from "#app/features/accounts/personal-access-tokens.server.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { addNote } from "#app/features/administration/notes.server.ts";
import { exportTable } from "#app/features/administration/table-exports.server.ts";
import { verifySeller } from "#app/features/administration/user-actions.server.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { appealDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { answerTicket, removeTicket, replyToAnswer } from "#app/features/support-tickets/tickets.server.ts";
import { bookWithoutLimits } from "./bookings.ts";
import { addAccount, addPhone, beginRecovery } from "./fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;
const written = (text: string) => ({ text, formKey: null });

/** Every row of every ordinary table, as text. */
export async function allRows(db: Db) {
  const tables = await db.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name not like '%\\_fts%' escape '\\'
      and name not like 'sqlite%' and name not like '\\_cf%' escape '\\'`,
  );
  assert.ok(tables.length > 35);
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await db.all<object>(sql`select * from ${sql.identifier(name)}`);
    lines.push(...rows.map((row) => `${name} ${JSON.stringify(row)}`));
  }
  return lines;
}

/** Fills the tables with what a seller and buyer leaves behind. */
export async function addTraces(db: Db, admin: Account, name: string) {
  const mark = name.toLowerCase().replace(" ", ".");
  const email = `${mark}@Example.com`;
  const key = `key${name.length}`;
  const delivery = { address: `7 ${name} Lane`, phone: `+46 70 ${mark}` };
  const person = await addAccount(db, { name, email, userType: "Seller", emailVerifiedAt: new Date() });
  const other = await addAccount(db, { name: `Friend ${key}`, userType: "Seller" });
  await verifySeller(db, admin, person.id);
  await openSession(db, person, { seconds: 60 });
  await beginRecovery(db, email);
  await createPersonalAccessToken(db, person, { name, scope: "read", days: "30" }, key);
  await db.insert(passkeys).values({
    id: key,
    userId: person.id,
    publicKey: "key",
    counter: 0,
    transports: [],
    backedUp: true,
    name: `${name}'s phone`,
  });
  await db.insert(signUpAddresses).values({ userId: person.id, addressHash: key });
  await db.insert(savedAddresses).values({ userId: person.id, address: `${name}’s home`, phone: key });
  const payout = { accountId: `${name}’s account`, state: "ready" as const, updatedAt: new Date() };
  await db.insert(payoutAccounts).values({ ...payout, userId: person.id });
  await db.insert(listingDrafts).values({ sellerId: person.id, id: key, typed: { city: `${name}ville` } });
  const imported = { id: key, sellerId: person.id, fileName: `${name}.csv`, unknownColumns: [] };
  await db.insert(listingImports).values(imported);
  const row = { line: 2, plan: "wrong" as const, device: `${name}’s phone`, remarks: [] };
  await db.insert(listingImportRows).values({ ...row, importId: key });
  await db.insert(savedSearches).values({
    userId: person.id,
    name: `For ${name}`,
    category: "products",
    query: "?q=nokia",
    frequency: "never",
    clauses: [],
    fromCents: 0,
    toCents: 0,
    notifiedAt: new Date(),
  });
  const [{ id: unsold }, { id: foreign }] = [
    await addPhone(db, { sellerId: person.id }),
    await addPhone(db, { sellerId: other.id }),
  ];
  await db.insert(priceChanges).values({ phoneId: unsold, oldCents: 2, newCents: 1 });
  const photo = { position: 0, width: 1, height: 1, digest: key };
  await db.insert(photos).values({ id: key, phoneId: unsold, ...photo });
  await db.insert(photos).values({ id: `${key} of a draft`, draftId: `${person.id}/${key}`, ...photo });
  assert.equal(await saveListing(db, person, foreign), "saved");
  const bought = await bookWithoutLimits(db, person, foreign, delivery);
  assert.ok(bought.orderId);
  await handOver(db, other, bought.orderId);
  await recordReceipt(db, person, bought.orderId);
  await saveReview(db, person, bought.orderId, { stars: 5, text: "Fast." });
  await saveReview(db, other, bought.orderId, { stars: 4, text: "Friendly." });
  const described = { kind: "something missing", text: "The charger." } as const;
  assert.equal(await openProblem(db, person, bought.orderId, described), "done");
  const [problem] = await db.select().from(orderProblems).where(eq(orderProblems.orderId, bought.orderId));
  const problemId = problem?.id ?? "";
  await db.insert(photos).values({ id: `${key} of a problem`, problemId, ...photo });
  await answerProblem(db, person, bought.orderId, { answer: "close", text: "" });
  const { conversationId } = await sendFirstMessage(
    db,
    other,
    { phone: unsold },
    written("Is it scratched?"),
  );
  assert.ok(conversationId);
  await sendMessage(db, person, conversationId, written("Not at all."));
  await makeOffer(db, other, unsold, { amountCents: 30_000, text: "", formKey: null });
  const reason = { reason: "duplicate", details: "Look." } as const;
  await reportContent(db, other, "seller", person.id, reason);
  const decision = { decision: "warn", reason: "Be friendly.", days: "7" } as const;
  const { id: warning } = await decide(db, admin, "seller", person.id, decision, null);
  assert.ok(warning);
  await appealDecision(db, person, warning, `I am ${name}.`);
  const [review] = await db.select().from(reviews).where(eq(reviews.authorId, person.id));
  await reportContent(db, other, "review", review?.id ?? "", reason);
  await decide(db, admin, "review", review?.id ?? "", { ...decision, decision: "dismiss" }, null);
  for (const subject of [
    { kind: "user", id: person.id },
    { kind: "listing", id: unsold },
    { kind: "order", id: bought.orderId },
  ] as const) {
    await addNote(db, admin, subject, { text: `${name} called twice.`, formKey: null });
  }
  await db.insert(tickets).values([
    { id: `kept ${key}`, name, email, details: "kept" },
    { id: key, name, email, details: "deleted" },
  ]);
  await answerTicket(db, admin, `kept ${key}`, written(`Hello ${name}.`));
  await replyToAnswer(db, `kept ${key}`, written(`${name} again.`));
  await removeTicket(db, admin, key);
  for (const q of [name, email]) {
    for await (const _lines of exportTable(db, admin, "users", new URLSearchParams({ q })));
  }
  await db.insert(idempotencyKeys).values({ id: key, bodyHash: key, name: key, response: email });
  return { person, other, unsold, orderId: bought.orderId, problemId, conversationId };
}
