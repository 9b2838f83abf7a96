import { randomBytes } from "node:crypto";
import { photos } from "#app/db/schema.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { bookWithoutLimits } from "../../../tests/harness/bookings.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../../tests/harness/fixtures.ts";
import { addPerson, type Market, type Person } from "../market.ts";
import { postForm } from "../responses.ts";

// What the requests of the mutations need in the database. All of it is new for each request.

export const buyerOf = (market: Market) => addPerson(market);
export const sellerOf = (market: Market) => addPerson(market, { userType: "Seller" });
export const adminOf = (market: Market) => addPerson(market, { userType: "Admin" });
export const newEmail = () => `${randomBytes(8).toString("hex")}@example.com`;

export const delivery = { address: "2 Quay Street", phone: "555 0199" };

export async function addListing(market: Market) {
  const person = await sellerOf(market);
  return { person, phone: await addPhone(market.db, { sellerId: person.account.id }) };
}

export async function addOrder(market: Market) {
  const { person: seller, phone } = await addListing(market);
  const person = await buyerOf(market);
  const details = { address: "1 Harbour Street", phone: "555 0100" };
  const { orderId = "" } = await bookWithoutLimits(market.db, person.account, phone.id, details);
  return { seller, person, orderId };
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

export async function addConversation(market: Market) {
  const { person: seller, phone } = await addListing(market);
  const person = await buyerOf(market);
  const message = { text: "Is it still available?", formKey: null };
  const { conversationId } = await sendFirstMessage(market.db, person.account, { phone: phone.id }, message);
  return { seller, person, conversationId };
}

export async function addOffer(market: Market) {
  const { person: seller, phone } = await addListing(market);
  const person = await buyerOf(market);
  const offer = { amountCents: 30_000, text: "", formKey: null };
  const { offerId = "" } = await makeOffer(market.db, person.account, phone.id, offer);
  return { seller, person, offerId };
}

/** A listing that somebody has reported. */
export async function addReportedListing(market: Market) {
  const { person, phone } = await addListing(market);
  await reportListing(market, phone.id);
  return { person, phone };
}

export async function reportListing({ db }: Market, phoneId: string) {
  const details = { reason: "Duplicate or spam", details: "Listed five times." } as const;
  await reportContent(db, await addAccount(db), "listing", phoneId, details);
}

export async function addPhotos(market: Market, phoneId: string) {
  const rows = [0, 1].map((position) => ({
    id: randomBytes(32).toString("hex"),
    phoneId,
    position,
    width: 640,
    height: 480,
    digest: randomBytes(32).toString("hex"),
  }));
  await market.db.insert(photos).values(rows);
  return rows;
}

/** Removes something on its page. @returns the removal's id */
export async function removedBy(
  person: Person,
  path: string,
  fields: Record<string, string>,
): Promise<string> {
  const { toast } = await postForm(person, path, fields);
  if (!toast?.undo) throw new Error(`${path} removed nothing: ${toast?.message}`);
  return toast.undo;
}
