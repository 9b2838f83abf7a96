import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { payments, photos, reviews, tickets } from "#app/db/schema.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { bookWithoutLimits } from "../bookings.ts";
import { type Account, addAccount, addPhone, addReceivedOrder } from "../fixtures.ts";
import { newAddress, type Visitor, visitor } from "../visitor.ts";
import type { Fields, Market } from "./example.ts";

// What the examples need in the database. All of it is new for each request.

export type Person = Visitor & { account: Account };

/** Adds an account that is logged in. */
export async function addPerson(
  market: Market,
  account: Parameters<typeof addAccount>[1] = {},
): Promise<Person> {
  const added = await addAccount(market.db, account);
  const person = visitor(market);
  await person.signIn(added.email);
  return { ...person, account: added };
}

export const buyerOf = (market: Market) => addPerson(market);
export const sellerOf = (market: Market) => addPerson(market, { userType: "Seller" });
export const adminOf = (market: Market) => addPerson(market, { userType: "Admin" });
export const newEmail = () => `${randomBytes(8).toString("hex")}@example.com`;

export const delivery = { address: "2 Quay Street", phone: "555 0199" };
export const formParams = (fields: Fields) =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
  );

/** Submits a form from another address, so that it does not count against the limit of the person's. */
export function postFromElsewhere({ url }: Market, person: Visitor, path: string, fields: Fields) {
  const headers = { Origin: url, "CF-Connecting-IP": newAddress() };
  return person.send(path, { method: "POST", body: formParams(fields), headers });
}

export async function addListing(market: Market) {
  const person = await sellerOf(market);
  return { person, phone: await addPhone(market.db, { sellerId: person.account.id }) };
}

export async function addOrder(market: Market) {
  const { person: seller, phone } = await addListing(market);
  const person = await buyerOf(market);
  const details = { address: "1 Harbour Street", phone: "555 0100" };
  const { orderId = "" } = await bookWithoutLimits(market.db, person.account, phone.id, details);
  return { seller, person, phone, orderId };
}

/** A protected order that waits for its payment. */
export async function addUnpaidOrder(market: Market) {
  const order = await addOrder(market);
  const payBy = new Date(Date.now() + 60 * 60_000);
  await market.db
    .insert(payments)
    .values({ orderId: order.orderId, amountCents: 34_950, feeCents: 0, payBy });
  return order;
}

export async function addCompleteOrder(market: Market) {
  const [seller, person] = [await sellerOf(market), await buyerOf(market)];
  const orderId = await addReceivedOrder(market.db, person.account, seller.account);
  return { seller, person, orderId };
}

/** An order that both sides have reviewed, so that both see the reviews. */
export async function addReviews(market: Market) {
  const order = await addCompleteOrder(market);
  await saveReview(market.db, order.person.account, order.orderId, { stars: 4, text: "As described." });
  await saveReview(market.db, order.seller.account, order.orderId, { stars: 5, text: "On time." });
  return order;
}

/** The review of a buyer, who is suspended, or that nobody else can see. */
export async function findReview({ db }: Market, authorId: string) {
  const [review] = await db.select().from(reviews).where(eq(reviews.authorId, authorId));
  return review?.id ?? "";
}

export async function addConversation(market: Market) {
  const { person: seller, phone } = await addListing(market);
  const person = await buyerOf(market);
  const message = { text: "Is it still available?", formKey: null };
  const { conversationId = "" } = await sendFirstMessage(
    market.db,
    person.account,
    { phone: phone.id },
    message,
  );
  return { seller, person, conversationId };
}

export async function addOffer(market: Market) {
  const { person: seller, phone } = await addListing(market);
  const person = await buyerOf(market);
  const offer = { amountCents: 30_000, text: "", formKey: null };
  const { offerId = "" } = await makeOffer(market.db, person.account, phone.id, offer);
  return { seller, person, phone, offerId };
}

/** A listing that somebody has reported. */
export async function addReportedListing(market: Market) {
  const { person, phone } = await addListing(market);
  await reportListing(market, phone.id);
  return { person, phone };
}

export async function reportListing({ db }: Pick<Market, "db">, phoneId: string) {
  const details = { reason: "duplicate", details: "Listed five times." } as const;
  await reportContent(db, await addAccount(db), "listing", phoneId, details);
}

export async function addReport({ db }: Market): Promise<string> {
  const values = { name: "Mia Sund", email: "mia@example.com", details: crypto.randomUUID() };
  const [row] = await db.insert(tickets).values(values).returning();
  return row?.id ?? "";
}

/** The ids of two photos of a listing. */
export async function addPhotos(
  market: Market,
  owner: { phoneId: string } | { draftId: string },
): Promise<[first: string, second: string]> {
  const rows = [0, 1].map((position) => ({
    ...{ id: randomBytes(32).toString("hex"), ...owner, position },
    ...{ width: 640, height: 480, digest: randomBytes(32).toString("hex") },
  }));
  await market.db.insert(photos).values(rows);
  return [rows[0]?.id ?? "", rows[1]?.id ?? ""];
}
