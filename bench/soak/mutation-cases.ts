import { randomBytes } from "node:crypto";
import { passkeys, photos } from "#app/db/schema.ts";
import { issueOneTimeToken } from "#app/features/accounts/one-time-tokens.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { bookPhone } from "#app/features/orders/bookings.server.ts";
import type { Mutation } from "#app/server/http/rate-limits.server.ts";
import { addPhone, addReceivedOrder, password } from "../../tests/harness/fixtures.ts";
import { picture } from "../../tests/harness/images.ts";
import { validListing } from "../../tests/harness/listing-form.ts";
import { type Visitor, visitor } from "../../tests/harness/visitor.ts";
import { addPerson, type Market, type Person } from "./market.ts";
import { postForm } from "./responses.ts";

/** A request that changes something, with all that it needs in the database. */
export interface MutationRequest {
  person: Visitor;
  path: string;
  /** For a form. */
  fields?: Record<string, string>;
  /** For a form with a file. */
  file?: Buffer;
  /** For the REST API. */
  method?: "POST" | "PUT" | "DELETE";
  body?: object;
}

export interface MutationCase {
  prepare(market: Market): Promise<MutationRequest>;
  /** The response is the same whether anything was done, since it must not tell. */
  isSilent?: boolean;
  /** Tables of what follows the change itself, which is done without them. */
  follows?: string[];
  /** The same request again does it again. */
  mayRepeat?: boolean;
}

const buyer = (market: Market) => addPerson(market);
const sellerOf = (market: Market) => addPerson(market, { userType: "Seller" });
const adminOf = (market: Market) => addPerson(market, { userType: "Admin" });
const newEmail = () => `${randomBytes(8).toString("hex")}@example.com`;

/** A form of a new person's own page. */
const form = (
  person: (market: Market) => Promise<Visitor>,
  path: string,
  fields: () => Record<string, string>,
): MutationCase => ({
  prepare: async (market) => ({ person: await person(market), path, fields: fields() }),
});

async function order(market: Market) {
  const [seller, person] = [await sellerOf(market), await buyer(market)];
  const phone = await addPhone(market.db, { sellerId: seller.account.id });
  const details = { address: "1 Harbour Street", phone: "555 0100" };
  const { orderId = "" } = await bookPhone(market.db, person.account, phone.id, details);
  return { seller, person, orderId };
}

async function listing(market: Market) {
  const person = await sellerOf(market);
  return { person, phone: await addPhone(market.db, { sellerId: person.account.id }) };
}

async function conversation(market: Market) {
  const { person: seller, phone } = await listing(market);
  const person = await buyer(market);
  const message = { text: "Is it still available?", formKey: null };
  const { conversationId } = await sendFirstMessage(market.db, person.account, { phone: phone.id }, message);
  return { seller, person, conversationId };
}

async function withEmailedToken(market: Market, purpose: "recovery" | "verification", path: string) {
  const person = await buyer(market);
  const token = await issueOneTimeToken(market.db, purpose, person.account.id);
  const link = await person.get(`${path}?token=${token}`);
  if (link.status >= 400) throw new Error(`The link to ${path} was not accepted.`);
  return person;
}

async function addPhotos(market: Market, phoneId: string) {
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

const changedListing = { ...validListing, sellingPrice: "300", condition: "Good" };
const device = { ...validListing, formKey: "" };
const delivery = { address: "2 Quay Street", phone: "555 0199" };

/** The requests of each mutation, by page and by the API. The soak fails for a mutation without any. */
export const mutationCases: Partial<Record<Mutation, MutationCase[]>> = {
  "log in": [
    {
      mayRepeat: true,
      async prepare(market) {
        const { account } = await buyer(market);
        return { person: visitor(market), path: "/login", fields: { email: account.email, password } };
      },
    },
  ],
  "confirm password": [
    form(buyer, "/manage/account", () => ({
      intent: "password",
      currentPassword: password,
      password: "another-secret-1",
    })),
  ],
  "set password": [
    {
      prepare: async (market) => ({
        person: await withEmailedToken(market, "recovery", "/reset"),
        path: "/reset",
        fields: { password: "another-secret-1" },
      }),
    },
  ],
  "verify address": [
    {
      prepare: async (market) => ({
        person: await withEmailedToken(market, "verification", "/verify"),
        path: "/verify",
        fields: {},
      }),
    },
  ],
  "sign up": [
    {
      // Somebody without a session logs in, and can ask for another link to verify the address.
      follows: ["sessions", "one_time_tokens"],
      prepare: async (market) => ({
        person: visitor(market),
        path: "/signup",
        fields: { name: "Mia Sund", email: newEmail(), password },
      }),
    },
    {
      follows: ["sessions", "one_time_tokens"],
      prepare: async (market) => ({
        person: visitor(market),
        path: "/users",
        method: "POST",
        body: { name: "Mia Sund", email: newEmail(), password, userType: "Buyer" },
      }),
    },
  ],
  "request recovery": [
    {
      isSilent: true,
      async prepare(market) {
        const { account } = await buyer(market);
        return { person: visitor(market), path: "/forgot", fields: { email: account.email } };
      },
    },
  ],
  report: [
    {
      prepare: async (market) => ({
        person: visitor(market),
        path: "/report",
        fields: { name: "Mia Sund", email: newEmail(), details: "Broken", formKey: crypto.randomUUID() },
      }),
    },
    {
      prepare: async (market) => ({
        person: visitor(market),
        path: "/report",
        method: "POST",
        body: { name: "Mia Sund", email: newEmail(), details: "Broken" },
      }),
    },
  ],
  "report content": [
    {
      async prepare(market) {
        const { phone } = await listing(market);
        const fields = { reason: "Duplicate or spam", details: "Twice" };
        return { person: await buyer(market), path: `/report/listing/${phone.id}`, fields };
      },
    },
    {
      async prepare(market) {
        const { phone } = await listing(market);
        const body = { kind: "listing", targetId: phone.id, reason: "Duplicate or spam" };
        return { person: await buyer(market), path: "/contentReports", method: "POST", body };
      },
    },
  ],
  book: [
    {
      prepare: async (market) => ({
        person: await buyer(market),
        path: `/products/${(await addPhone(market.db)).id}/book`,
        fields: delivery,
      }),
    },
    {
      prepare: async (market) => ({
        person: await buyer(market),
        path: "/bookings",
        method: "POST",
        body: { phoneId: (await addPhone(market.db)).id },
      }),
    },
  ],
  "change delivery": [
    {
      async prepare(market) {
        const { person, orderId } = await order(market);
        return { person, path: `/manage/orders/${orderId}`, fields: { intent: "delivery", ...delivery } };
      },
    },
    {
      async prepare(market) {
        const { person, orderId } = await order(market);
        const body = { buyerAddress: delivery.address, phone: delivery.phone };
        return { person, path: `/bookings/delivery/${orderId}`, method: "PUT", body };
      },
    },
  ],
  message: [
    {
      async prepare(market) {
        const { person, conversationId } = await conversation(market);
        const fields = { text: "Is it scratched?", formKey: crypto.randomUUID() };
        return { person, path: `/manage/messages/${conversationId}`, fields };
      },
    },
    {
      prepare: async (market) => ({
        person: await buyer(market),
        path: "/messages",
        method: "POST",
        body: { phoneId: (await listing(market)).phone.id, text: "Is it scratched?" },
      }),
    },
  ],
  "mark as read": [
    {
      async prepare(market) {
        const { seller, conversationId } = await conversation(market);
        const body = { lastReadId: "ffffffff-ffff-7fff-bfff-ffffffffffff" };
        return { person: seller, path: `/messages/read/${conversationId}`, method: "PUT", body };
      },
    },
  ],
  block: [
    {
      async prepare(market) {
        const { seller, conversationId } = await conversation(market);
        return { person: seller, path: `/manage/messages/${conversationId}`, fields: { intent: "block" } };
      },
    },
    {
      async prepare(market) {
        const { seller, conversationId } = await conversation(market);
        return { person: seller, path: `/messages/block/${conversationId}`, method: "PUT" };
      },
    },
  ],
  review: [
    {
      async prepare(market) {
        const { person, orderId } = await receivedOrder(market);
        const fields = { intent: "review", stars: "5", text: "All good" };
        return { person, path: `/manage/orders/${orderId}/reviews`, fields };
      },
    },
    {
      async prepare(market) {
        const { person, orderId } = await receivedOrder(market);
        return { person, path: `/bookings/review/${orderId}`, method: "PUT", body: { stars: 5 } };
      },
    },
  ],
  publish: [
    form(sellerOf, "/addphone", () => ({ ...device, formKey: crypto.randomUUID() })),
    {
      prepare: async (market) => ({
        person: await sellerOf(market),
        path: "/phoneInfoCollection",
        method: "POST",
        body: validListing,
      }),
    },
  ],
  "edit listing": [
    {
      async prepare(market) {
        const { person, phone } = await listing(market);
        return { person, path: `/manage/mysells/${phone.id}/edit`, fields: changedListing };
      },
    },
  ],
  "add photos": [
    {
      async prepare(market) {
        const { person, phone } = await listing(market);
        return { person, path: `/manage/mysells/${phone.id}/photos/upload`, file: await picture() };
      },
    },
  ],
  "change photos": [
    {
      async prepare(market) {
        const { person, phone } = await listing(market);
        const [, second] = await addPhotos(market, phone.id);
        const fields = { intent: "left", _id: second?.id ?? "" };
        return { person, path: `/manage/mysells/${phone.id}/photos`, fields };
      },
    },
  ],
  "delete listing": [
    {
      async prepare(market) {
        const { person, phone } = await listing(market);
        return { person, path: "/manage/mysells", fields: { _id: phone.id } };
      },
    },
    {
      async prepare(market) {
        const { person, phone } = await listing(market);
        return { person, path: `/phones/delete/${phone.id}`, method: "DELETE" };
      },
    },
  ],
  "advance order": [
    {
      async prepare(market) {
        const { seller, orderId } = await order(market);
        return { person: seller, path: `/manage/orders/${orderId}`, fields: { intent: "hand over" } };
      },
    },
  ],
  "cancel order": [
    {
      async prepare(market) {
        const { person, orderId } = await order(market);
        return { person, path: "/manage?index", fields: { _id: orderId } };
      },
    },
    {
      async prepare(market) {
        const { person, orderId } = await order(market);
        return { person, path: `/bookings/delete/${orderId}`, method: "DELETE" };
      },
    },
  ],
  "delete user": [
    {
      async prepare(market) {
        const { person } = await listing(market);
        return { person: await adminOf(market), path: "/manage/users", fields: { _id: person.account.id } };
      },
    },
    {
      async prepare(market) {
        const { person } = await listing(market);
        return {
          person: await adminOf(market),
          path: `/users/delete/${person.account.id}`,
          method: "DELETE",
        };
      },
    },
  ],
  "verify seller": [
    {
      async prepare(market) {
        const { person } = await listing(market);
        const fields = { _id: person.account.id, intent: "verify" };
        return { person: await adminOf(market), path: "/manage/sellers", fields };
      },
    },
    {
      async prepare(market) {
        const { person } = await listing(market);
        return { person: await adminOf(market), path: `/seller/verify/${person.account.id}`, method: "PUT" };
      },
    },
  ],
  "undo deletion": [
    {
      async prepare(market) {
        const { person, phone } = await listing(market);
        return {
          person,
          path: "/manage/undo",
          fields: { _id: await removedBy(person, "/manage/mysells", phone.id) },
        };
      },
    },
    {
      async prepare(market) {
        const { person, orderId } = await order(market);
        return {
          person,
          path: "/manage/undo",
          fields: { _id: await removedBy(person, "/manage?index", orderId) },
        };
      },
    },
  ],
  "read notifications": [
    {
      async prepare(market) {
        const { seller } = await order(market);
        return { person: seller, path: "/manage/notifications", fields: { intent: "read all" } };
      },
    },
    {
      async prepare(market) {
        const { seller } = await order(market);
        return { person: seller, path: "/notifications/read", method: "PUT", body: {} };
      },
    },
  ],
  "change account": [
    form(buyer, "/manage/account", () => ({ intent: "name", name: "Ada Berg" })),
    {
      async prepare(market) {
        const person = await buyer(market);
        await visitor(market).logIn(person.account.email);
        return { person, path: "/manage/account", fields: { intent: "log out others" } };
      },
    },
    form(sellerOf, "/manage/account", () => ({ intent: "close", password })),
  ],
  "change passkeys": [
    {
      async prepare(market) {
        const person = await buyer(market);
        const id = randomBytes(16).toString("base64url");
        const key = { id, userId: person.account.id, publicKey: "AA", counter: 0, transports: [] };
        await market.db.insert(passkeys).values({ ...key, backedUp: false, name: "Laptop" });
        return { person, path: "/manage/account/passkeys", fields: { _id: id } };
      },
    },
  ],
  "change tokens": [
    form(buyer, "/manage/account/tokens", () => ({
      intent: "create",
      name: "Nightly",
      scope: "read",
      days: "30",
      formKey: crypto.randomUUID(),
    })),
  ],
  "count view": [
    {
      mayRepeat: true,
      async prepare(market) {
        const { phone } = await listing(market);
        return { person: await buyer(market), path: "/seen", fields: { id: phone.id } };
      },
    },
  ],
  "export data": [form(buyer, "/manage/account/data", () => ({}))],
};

async function receivedOrder(market: Market) {
  const [seller, person] = [await sellerOf(market), await buyer(market)];
  const orderId = await addReceivedOrder(market.db, person.account, seller.account);
  return { person, orderId };
}

/** Removes a row on its page. @returns the removal's id */
async function removedBy(person: Person, path: string, id: string): Promise<string> {
  const { toast } = await postForm(person, path, { _id: id });
  return toast?.undo ?? "";
}
