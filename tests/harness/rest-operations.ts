import { and, eq, isNotNull } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  blocks,
  contentReports,
  messages,
  notifications,
  offers,
  orderProblems,
  orders,
  phones,
  photos,
  reportMessages,
  reports,
  reviews,
  savedAddresses,
  savedListings,
  savedSearches,
  users,
} from "#app/db/schema.ts";
import { createPersonalAccessToken } from "#app/features/accounts/personal-access-tokens.server.ts";
import { removeUser } from "#app/features/administration/user-actions.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { countUnreadMessages, newestMessageId } from "#app/features/messages/conversations.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { makeOffer } from "#app/features/orders/offers.server.ts";
import { listAddresses, saveAddress } from "#app/features/orders/saved-addresses.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, accessTokenOf, apiClient, signedInClient } from "./api-client.ts";
import { bookWithoutLimits } from "./bookings.ts";
import { admin, everyone, moderators, secretAddress, signedIn, type Who, whos } from "./roles.ts";
import { addAccount, addPhone, addProblem, addReceivedOrder, newAddress, sharedServer } from "./server.ts";

/** Ways to authenticate; the last two are personal access tokens. Scheme names are case-insensitive. */
const credentials = ["cookie", "bEARER", "read token", "write token"] as const;
type Credential = (typeof credentials)[number];
const tokenHolders: readonly Who[] = ["buyer", "admin", "removed"];

/** Everybody by cookie; with other credentials, which lead to the same check of the role, a few. */
const triedBy: Record<Credential, readonly Who[]> = {
  cookie: whos,
  bEARER: ["anonymous", ...tokenHolders],
  "read token": tokenHolders,
  "write token": tokenHolders,
};

let server: LocalServer;
let clients: Record<Credential, Record<Who, ApiClient>>;
let accounts: Record<Exclude<Who, "anonymous">, typeof users.$inferSelect>;
const secret = { address: secretAddress, details: "secret details" };

/** A request for another user's data. `happened` checks whether it changed or returned any. */
interface Row {
  /** If all of them are staff, their personal access tokens count as a stranger's. */
  who: readonly Who[];
  /** The status for users without permission. */
  refusal?: number;
  /** Personal access tokens are refused. */
  needsSession?: boolean;
  /** The request replaces the client's session. */
  signsIn?: boolean;
  prepare(): Promise<{
    path: string;
    body?: Record<string, unknown>;
    /** The account that the request succeeds for, if those in `who` are none. */
    ownerId?: string;
    happened(text: string): Promise<boolean>;
  }>;
}

const returnsMatch = (path: string, what: RegExp) => async () => ({
  path,
  happened: async (text: string) => what.test(text),
});

export const rows: Record<string, Row> = {
  "GET /phoneInfoCollection": { who: everyone, prepare: returnsMatch("/phoneInfoCollection", /^\[/) },
  "GET /phoneInfoCollection/{category}": {
    who: everyone,
    prepare: returnsMatch("/phoneInfoCollection/Tablet", /^\[/),
  },
  "GET /phoneInfoCollection/{category}/{type}": {
    who: everyone,
    prepare: returnsMatch("/phoneInfoCollection/Android/Smart%20Phone", /^\[/),
  },
  "POST /phoneInfoCollection": {
    who: signedIn,
    async prepare() {
      const model = `Forged ${crypto.randomUUID()}`;
      return {
        path: "/phoneInfoCollection",
        body: { ...device, model, sellerEmail: secret.address, sellerName: "Hidden", _id: "x" },
        async happened() {
          const [row] = await server.db
            .select({ email: users.email })
            .from(phones)
            .innerJoin(users, eq(users.id, phones.sellerId))
            .where(eq(phones.model, model));
          expect(row?.email).not.toBe(secret.address);
          return row !== undefined;
        },
      };
    },
  },
  "GET /notifications": {
    who: signedIn,
    async prepare() {
      await addOrder(await addAccount(server.db), { model: "Of a stranger" });
      return {
        path: "/notifications?limit=100",
        async happened(text) {
          expect(text).not.toContain("Of a stranger");
          return text.startsWith("[");
        },
      };
    },
  },
  "PUT /notifications/read": {
    who: signedIn,
    async prepare() {
      const buyer = await addAccount(server.db);
      await addOrder(buyer);
      const isOthers = eq(notifications.userId, buyer.id);
      const [placed] = await server.db.select().from(notifications).where(isOthers);
      return {
        path: "/notifications/read",
        body: { ids: [placed?.id] },
        async happened(text) {
          const [row] = await server.db.select().from(notifications).where(isOthers);
          expect(row?.readAt).toBeNull();
          return text.includes('"modifiedCount":0');
        },
      };
    },
  },
  "GET /saved": {
    who: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db, { model: "Saved by a stranger" });
      await saveListing(server.db, await addAccount(server.db), id);
      return {
        path: "/saved?limit=100",
        async happened(text) {
          expect(text).not.toContain("Saved by a stranger");
          return text.startsWith("[");
        },
      };
    },
  },
  "PUT /saved/{phoneId}": {
    who: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: `/saved/${id}`,
        happened: async () => (await server.db.$count(savedListings, eq(savedListings.phoneId, id))) === 1,
      };
    },
  },
  "DELETE /saved/{phoneId}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { id } = await addPhone(server.db);
      await saveListing(server.db, await addAccount(server.db), id);
      return {
        path: `/saved/${id}`,
        happened: async () => (await server.db.$count(savedListings, eq(savedListings.phoneId, id))) === 0,
      };
    },
  },
  "GET /allPhoneInfo": {
    who: admin,
    refusal: 403,
    prepare: returnsMatch(`/allPhoneInfo?email=${secret.address}`, /Hidden model/),
  },
  "PUT /phones/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { id, sellingCents, sellerId } = await addPhone(server.db);
      return {
        path: `/phones/${id}`,
        body: { sellingPrice: 1 },
        ownerId: sellerId,
        async happened() {
          const [row] = await server.db.select().from(phones).where(eq(phones.id, id));
          return row?.sellingCents !== sellingCents;
        },
      };
    },
  },
  "GET /phones/photos/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { path, photoId } = await addPhoto();
      return { path, happened: async (text) => text.includes(photoId) };
    },
  },
  "POST /phones/photos/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { path, phoneId } = await addPhoto();
      return {
        path,
        happened: async () => (await server.db.$count(photos, eq(photos.phoneId, phoneId))) > 2,
      };
    },
  },
  "PUT /phones/photos/{id}/{photoId}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { path, photoId, sellerId, positionOf } = await addPhoto();
      return {
        path: `${path}/${photoId}`,
        body: { move: "left" },
        ownerId: sellerId,
        happened: async () => (await positionOf()) !== 2,
      };
    },
  },
  "DELETE /phones/photos/{id}/{photoId}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { path, photoId, positionOf } = await addPhoto();
      return {
        path: `${path}/${photoId}`,
        happened: async () => (await positionOf()) === undefined,
      };
    },
  },
  "DELETE /phones/delete/{id}": {
    who: admin,
    refusal: 404,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: `/phones/delete/${id}`,
        async happened() {
          const [row] = await server.db.select().from(phones).where(eq(phones.id, id));
          return row?.hiddenById !== null;
        },
      };
    },
  },
  "POST /bookings": {
    who: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: "/bookings",
        body: { phoneId: id, email: secret.address, buyerName: "Hidden", _id: "x" },
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.phoneId, id));
          expect([row?.email, row?.buyerName]).not.toEqual([secret.address, "Hidden"]);
          return row !== undefined;
        },
      };
    },
  },
  "GET /bookings": {
    who: admin,
    refusal: 403,
    prepare: returnsMatch(`/bookings?email=${secret.address}`, /Hidden model/),
  },
  "DELETE /bookings/delete/{id}": {
    who: admin,
    refusal: 404,
    async prepare() {
      const order = await addOrder(await addAccount(server.db));
      return {
        path: `/bookings/delete/${order.id}`,
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.id, order.id));
          return row?.status === "cancelled";
        },
      };
    },
  },
  "GET /bookings/problem/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { orderId } = await addProblem(server.db);
      return { path: `/bookings/problem/${orderId}`, happened: async (text) => text.includes("charger") };
    },
  },
  "POST /bookings/problem/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { id, buyerId } = await addOrder(await addAccount(server.db));
      return {
        ownerId: buyerId,
        path: `/bookings/problem/${id}`,
        body: { kind: "not arrived", text: "Forged" },
        happened: async () => (await server.db.$count(orderProblems, eq(orderProblems.orderId, id))) > 0,
      };
    },
  },
  "PUT /bookings/problem/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { orderId, problem, buyer } = await addProblem(server.db);
      return {
        ownerId: buyer.id,
        path: `/bookings/problem/${orderId}`,
        body: { answer: "close" },
        happened: async () => (await problem()).state !== "open",
      };
    },
  },
  "GET /problems": {
    who: ["moderator", "admin"],
    async prepare() {
      const { id } = await (await addProblem(server.db, { isAsked: true })).problem();
      return { path: "/problems", happened: async (text) => text.includes(id) };
    },
  },
  "GET /problems/{id}": {
    who: ["moderator", "admin"],
    async prepare() {
      const { id } = await (await addProblem(server.db, { isAsked: true })).problem();
      return { path: `/problems/${id}`, happened: async (text) => text.includes("charger") };
    },
  },
  "POST /problems/photos/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { id } = await (await addProblem(server.db, { isAsked: true })).problem();
      return {
        path: `/problems/photos/${id}`,
        happened: async () => (await server.db.$count(photos, eq(photos.problemId, id))) > 0,
      };
    },
  },
  "PUT /problems/{id}": {
    who: ["moderator", "admin"],
    async prepare() {
      const { problem } = await addProblem(server.db, { isAsked: true });
      return {
        path: `/problems/${(await problem()).id}`,
        body: { decision: "refused", reason: "Nothing is missing." },
        happened: async () => (await problem()).state === "refused",
      };
    },
  },
  "GET /bookings/reviews/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { orderId } = await addReviewedOrder();
      return { path: `/bookings/reviews/${orderId}`, happened: async (text) => text.includes("stars") };
    },
  },
  "PUT /bookings/review/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { orderId, sellerId, isUnchanged } = await addReviewedOrder();
      return {
        path: `/bookings/review/${orderId}`,
        body: { stars: 1, text: "Forged" },
        ownerId: sellerId,
        happened: async () => !(await isUnchanged()),
      };
    },
  },
  "PUT /bookings/reply/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { orderId, sellerId, isUnchanged } = await addReviewedOrder();
      return {
        path: `/bookings/reply/${orderId}`,
        body: { reply: "Forged" },
        ownerId: sellerId,
        happened: async () => !(await isUnchanged()),
      };
    },
  },
  "GET /messages": {
    who: signedIn,
    async prepare() {
      await addConversation();
      return {
        path: "/messages",
        async happened(text) {
          expect(text).not.toContain("Private");
          return text.startsWith("[");
        },
      };
    },
  },
  "GET /offers": {
    who: signedIn,
    async prepare() {
      const { offerId } = await addOffer();
      return {
        path: "/offers",
        async happened(text) {
          expect(text).not.toContain(offerId);
          return text.startsWith("[");
        },
      };
    },
  },
  "POST /offers": {
    who: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: "/offers",
        body: { phoneId: id, amount: 300, buyerId: "x" },
        happened: async () => (await server.db.$count(offers, eq(offers.phoneId, id))) > 0,
      };
    },
  },
  "PUT /offers/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { offerId, sellerId } = await addOffer();
      return {
        path: `/offers/${offerId}`,
        body: { answer: "accept" },
        ownerId: sellerId,
        happened: async () => (await server.db.$count(offers, isNotNull(offers.answer))) > 0,
      };
    },
  },
  "POST /messages": {
    who: [],
    refusal: 404,
    async prepare() {
      const order = await addOrder(await addAccount(server.db));
      return {
        path: "/messages",
        body: { bookingId: order.id, text: "Forged" },
        ownerId: order.buyerId,
        happened: async () => (await server.db.$count(messages, eq(messages.text, "Forged"))) > 0,
      };
    },
  },
  "GET /messages/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { conversationId } = await addConversation();
      return { path: `/messages/${conversationId}`, happened: async (text) => text.includes("Private") };
    },
  },
  "POST /messages/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { conversationId, seller } = await addConversation();
      return {
        path: `/messages/${conversationId}`,
        body: { text: "Forged" },
        ownerId: seller.id,
        happened: async () => (await server.db.$count(messages, eq(messages.text, "Forged"))) > 0,
      };
    },
  },
  "PUT /messages/read/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { conversationId, seller } = await addConversation();
      return {
        path: `/messages/read/${conversationId}`,
        body: { lastReadId: (await newestMessageId(server.db, seller)) ?? "" },
        ownerId: seller.id,
        happened: async () => (await countUnreadMessages(server.db, seller)) === 0,
      };
    },
  },
  "PUT /messages/block/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { conversationId } = await addConversation();
      return {
        path: `/messages/block/${conversationId}`,
        happened: async () => (await server.db.$count(blocks)) > 0,
      };
    },
  },
  "DELETE /messages/block/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { conversationId } = await addConversation();
      return { path: `/messages/block/${conversationId}`, happened: async () => false };
    },
  },
  "GET /reviews/seller/{id}": {
    who: everyone,
    async prepare() {
      const { sellerId } = await addReviewedOrder();
      return { path: `/reviews/seller/${sellerId}`, happened: async (text) => text.includes("stars") };
    },
  },
  "PUT /bookings/delivery/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const order = await addOrder(await addAccount(server.db));
      return {
        path: `/bookings/delivery/${order.id}`,
        body: { buyerAddress: "Mine now", phone: "" },
        ownerId: order.buyerId,
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.id, order.id));
          return row?.buyerAddress !== "";
        },
      };
    },
  },
  "GET /bookings/steps/{id}": {
    who: admin,
    refusal: 404,
    async prepare() {
      const { id } = await addOrder(await addAccount(server.db));
      return { path: `/bookings/steps/${id}`, happened: async (text) => text.includes("reserved") };
    },
  },
  "PUT /bookings/steps/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const seller = await addAccount(server.db, { userType: "Seller" });
      const order = await addOrder(await addAccount(server.db), { sellerId: seller.id });
      return {
        path: `/bookings/steps/${order.id}`,
        body: { step: "hand over" },
        ownerId: seller.id,
        async happened() {
          const [row] = await server.db.select().from(orders).where(eq(orders.id, order.id));
          return row?.stage !== "reserved";
        },
      };
    },
  },
  "GET /users": { who: admin, prepare: returnsMatch("/users", /hidden\.person/) },
  "POST /users": {
    who: everyone,
    needsSession: true,
    signsIn: true,
    async prepare() {
      const email = `${crypto.randomUUID()}@example.com`;
      return {
        path: "/users",
        body: {
          ...{ name: "New", email, userType: "Seller", password: "secret1" },
          ...{ _id: "x", verified: "yes", isAdmin: true, role: "Admin", passwordHash: "x" },
        },
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.email, email));
          if (row) expect([row.userType, row.verified]).toEqual(["Seller", false]);
          return row !== undefined;
        },
      };
    },
  },
  "GET /addresses": {
    who: signedIn,
    async prepare() {
      await addAddress();
      return {
        path: "/addresses",
        async happened(text) {
          expect(text).not.toContain("Their Street");
          return text.startsWith("[");
        },
      };
    },
  },
  "POST /addresses": {
    who: signedIn,
    async prepare() {
      const address = `Forged ${crypto.randomUUID()}`;
      const { id } = await addAccount(server.db);
      return {
        path: "/addresses",
        body: { address, userId: id, _id: "x" },
        async happened() {
          const [row] = await server.db
            .delete(savedAddresses)
            .where(eq(savedAddresses.address, address))
            .returning();
          expect(row?.userId).not.toBe(id);
          return row !== undefined;
        },
      };
    },
  },
  "DELETE /addresses/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const id = await addAddress();
      return {
        path: `/addresses/${id}`,
        happened: async () => (await server.db.$count(savedAddresses, eq(savedAddresses.id, id))) === 0,
      };
    },
  },
  "GET /searches": {
    who: signedIn,
    async prepare() {
      await addSearch();
      return {
        path: "/searches",
        async happened(text) {
          expect(text).not.toContain("Theirs");
          return text.startsWith("[");
        },
      };
    },
  },
  "POST /searches": {
    who: signedIn,
    async prepare() {
      const name = `Forged ${crypto.randomUUID()}`;
      const { id } = await addAccount(server.db);
      return {
        path: "/searches",
        body: { name, query: "q=iphone", frequency: "daily", userId: id, _id: "x" },
        async happened() {
          const [row] = await server.db.select().from(savedSearches).where(eq(savedSearches.name, name));
          expect(row?.userId).not.toBe(id);
          await server.db.delete(savedSearches).where(eq(savedSearches.name, name));
          return row !== undefined;
        },
      };
    },
  },
  "PUT /searches/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { id, userId, isUnchanged } = await addSearch();
      return {
        path: `/searches/${id}`,
        body: { name: "Forged", frequency: "never" },
        ownerId: userId,
        happened: async () => !(await isUnchanged()),
      };
    },
  },
  "DELETE /searches/{id}": {
    who: [],
    refusal: 404,
    async prepare() {
      const { id, isUnchanged } = await addSearch();
      return { path: `/searches/${id}`, happened: async () => !(await isUnchanged()) };
    },
  },
  "DELETE /users/delete/{id}": {
    who: admin,
    async prepare() {
      const { id } = await addAccount(server.db, { userType: "Seller" });
      return {
        path: `/users/delete/${id}`,
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          return row?.removalId !== null;
        },
      };
    },
  },
  "GET /users/admin/{email}": {
    who: admin,
    refusal: 200,
    async prepare() {
      const { email } = await addAccount(server.db, { userType: "Admin" });
      return returnsMatch(`/users/admin/${email}`, /"isAdmin":true/)();
    },
  },
  "GET /users/seller/{email}": {
    who: admin,
    refusal: 200,
    prepare: returnsMatch(`/users/seller/${secret.address}`, /"isSeller":true/),
  },
  "GET /sellers": { who: admin, prepare: returnsMatch("/sellers", /hidden\.person/) },
  "PUT /seller/verify/{id}": {
    who: admin,
    async prepare() {
      const { id } = await addAccount(server.db, { userType: "Seller" });
      return {
        path: `/seller/verify/${id}`,
        async happened() {
          const [row] = await server.db.select().from(users).where(eq(users.id, id));
          return row?.verified === true;
        },
      };
    },
  },
  // Nobody gets a token for another user's address, not even administrators.
  "GET /jwt": {
    who: [],
    needsSession: true,
    prepare: returnsMatch(`/jwt?email=${secret.address}`, /accessToken/),
  },
  "GET /report": { who: admin, prepare: returnsMatch("/report", /secret details/) },
  "POST /report": {
    who: everyone,
    async prepare() {
      const details = crypto.randomUUID();
      return {
        path: "/report",
        body: { name: "", email: "", details },
        async happened() {
          return (await server.db.$count(reports, eq(reports.details, details))) === 1;
        },
      };
    },
  },
  "GET /reports/{id}": {
    who: admin,
    async prepare() {
      const { path } = await addReport();
      return { path, happened: async (text) => text.includes(secret.details) };
    },
  },
  "POST /reports/{id}": {
    who: admin,
    async prepare() {
      const { path, id } = await addReport();
      return {
        path,
        body: { text: "Forged" },
        happened: async () => (await server.db.$count(reportMessages, eq(reportMessages.reportId, id))) > 0,
      };
    },
  },
  "PUT /reports/{id}": {
    who: admin,
    async prepare() {
      const { path, id } = await addReport();
      return {
        path,
        body: { state: "closed" },
        async happened() {
          const [row] = await server.db.select().from(reports).where(eq(reports.id, id));
          return row?.state !== "open";
        },
      };
    },
  },
  "POST /contentReports": {
    who: signedIn,
    async prepare() {
      const { id } = await addPhone(server.db);
      return {
        path: "/contentReports",
        body: { kind: "listing", targetId: id, reason: "Duplicate or spam", reporterId: "x", ownerId: "x" },
        async happened() {
          const [row] = await server.db.select().from(contentReports).where(eq(contentReports.targetId, id));
          expect([row?.reporterId, row?.ownerId]).not.toContain("x");
          return row !== undefined;
        },
      };
    },
  },
  "GET /openapi.json": { who: everyone, prepare: returnsMatch("/openapi.json", /"openapi"/) },
};

const device = {
  ...{ brandName: "Sony", ram: "8 GB", rom: "256 GB", camera: "12 MP", processor: "Snapdragon 865" },
  ...{ os: "Android", deviceType: "Smart Phone", image: "https://pictures.example/x.jpg", battery: "4000" },
  ...{ sellingReason: "Too small.", marketPrice: "949", sellingPrice: 349.5, postDate: "2026-11-20" },
  usedTime: "14",
};

async function addOrder(buyer: typeof users.$inferSelect, phone: Parameters<typeof addPhone>[1] = {}) {
  const { id } = await addPhone(server.db, phone);
  await bookWithoutLimits(server.db, buyer, id, { address: "", phone: "" });
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, id));
  if (!order) throw new Error("The order was not added.");
  return order;
}

async function addSearch() {
  const search = {
    category: { key: "products" },
    query: parseSearchQuery(new URLSearchParams("to=9")),
  } as const;
  const settings = { name: "Theirs", frequency: "daily" } as const;
  const { id: userId, ...owner } = await addAccount(server.db);
  const outcome = await saveSearch(server.db, { id: userId, ...owner }, settings, search);
  const id = typeof outcome === "object" ? outcome.id : "";
  const isUnchanged = async () => {
    const [row] = await server.db.select().from(savedSearches).where(eq(savedSearches.id, id));
    return row?.name === "Theirs";
  };
  return { id, userId, isUnchanged };
}

async function addReport() {
  const values = { name: "R", email: secret.address, details: secret.details };
  const [report] = await server.db.insert(reports).values(values).returning();
  const id = report?.id ?? "";
  return { id, path: `/reports/${id}` };
}

/** The second photo of a listing. */
async function addPhoto() {
  const { id: phoneId, sellerId } = await addPhone(server.db);
  const [photoId, size] = [crypto.randomUUID(), { width: 4, height: 3 }];
  await server.db.insert(photos).values([
    { id: crypto.randomUUID(), phoneId, position: 1, digest: "first", ...size },
    { id: photoId, phoneId, position: 2, digest: "second", ...size },
  ]);
  const positionOf = async () => {
    const isHere = and(eq(photos.id, photoId), eq(photos.phoneId, phoneId));
    const [row] = await server.db.select().from(photos).where(isHere);
    return row?.position;
  };
  return { path: `/phones/photos/${phoneId}`, phoneId, photoId, sellerId, positionOf };
}

async function addAddress() {
  const owner = await addAccount(server.db);
  await saveAddress(server.db, owner, { address: "1 Their Street", phone: "" });
  const [saved] = await listAddresses(server.db, owner);
  return saved?.id ?? "";
}

async function addOffer() {
  const { id, sellerId } = await addPhone(server.db);
  const offer = { amountCents: 30_000, text: "", formKey: null };
  const { offerId = "" } = await makeOffer(server.db, await addAccount(server.db), id, offer);
  return { offerId, sellerId };
}

async function addConversation() {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const { id } = await addPhone(server.db, { sellerId: seller.id });
  const message = { text: "Private", formKey: null };
  const buyer = await addAccount(server.db);
  const { conversationId } = await sendFirstMessage(server.db, buyer, { phone: id }, message);
  return { seller, conversationId };
}

async function addReviewedOrder() {
  const [buyer, seller] = [await addAccount(server.db), await addAccount(server.db, { userType: "Seller" })];
  const orderId = await addReceivedOrder(server.db, buyer, seller);
  for (const side of [buyer, seller]) await saveReview(server.db, side, orderId, { stars: 5, text: "" });
  const isUnchanged = async () => {
    const rows = await server.db.select().from(reviews).where(eq(reviews.orderId, orderId));
    return rows.every(({ stars, reply }) => stars === 5 && reply === null);
  };
  return { orderId, sellerId: seller.id, isUnchanged };
}

async function clientWith(credential: Credential, who: Who): Promise<ApiClient> {
  const byCookie = credential === "cookie";
  const scope = scopeOf(credential);
  if (scope && who !== "anonymous") {
    const fields = { name: "Matrix", scope, days: "30" } as const;
    const created = await createPersonalAccessToken(server.db, accounts[who], fields, crypto.randomUUID());
    if (typeof created === "string") throw new Error(created);
    return apiClient(server, { Authorization: `Bearer ${created.token}` });
  }
  if (who === "anonymous")
    return apiClient(server, byCookie ? {} : { Authorization: `${scope ? "Bearer" : credential} ` });
  const person = await signedInClient(server, accounts[who]);
  return byCookie
    ? person
    : apiClient(server, { Authorization: `${credential} ${await accessTokenOf(person)}` });
}

/** The scope of a personal access token; null for other credentials. */
function scopeOf(credential: Credential): "read" | "write" | null {
  return credential === "read token" ? "read" : credential === "write token" ? "write" : null;
}

/** Everybody tries each operation with these credentials; called by the files that share this table. */
export function testOperations(tried: readonly Credential[]) {
  beforeAll(async () => {
    server = await sharedServer();
    const hidden = await addAccount(server.db, { email: secret.address, userType: "Seller" });
    await addPhone(server.db, { sellerId: hidden.id, model: "Hidden model" });
    await addOrder(hidden, { model: "Hidden model" });
    await server.db.insert(reports).values({ name: "R", email: secret.address, details: secret.details });
    accounts = {
      buyer: await addAccount(server.db),
      seller: await addAccount(server.db, { userType: "Seller" }),
      "verified seller": await addAccount(server.db, { userType: "Seller", verified: true }),
      moderator: await addAccount(server.db, { moderatorSince: new Date() }),
      admin: await addAccount(server.db, { userType: "Admin" }),
      removed: await addAccount(server.db, { userType: "Admin" }),
    };
    const made: Partial<typeof clients> = {};
    for (const credential of tried) {
      const people = whos.map(async (who) => [who, await clientWith(credential, who)] as const);
      made[credential] = Object.fromEntries(await Promise.all(people)) as Record<Who, ApiClient>;
    }
    clients = made as typeof clients;
    await removeUser(server.db, accounts.admin, accounts.removed.id);
  });

  describe.each(Object.entries(rows))(
    "%s",
    (name, { who: allowed, refusal = 403, needsSession, signsIn, prepare }) => {
      const method = name.split(" ")[0] ?? "";
      /** The target of the requests before, if none of them was allowed to change it. */
      let untouched: ReturnType<typeof prepare> | undefined;
      const targetFor = (isAllowed: boolean) => {
        const target = untouched ?? prepare();
        untouched = isAllowed ? undefined : target;
        return target;
      };

      describe.each(tried)("by %s", (credential) => {
        // The scope of a token is checked before the role.
        test.each(triedBy[credential])("by %s", async (who) => {
          const standing = clients[credential][who];
          const scope = scopeOf(credential);
          const isBeyondScope =
            signedIn.includes(who) &&
            scope !== null &&
            (needsSession || (scope === "read" && method !== "GET"));
          // Personal access tokens carry no permission of staff.
          const isForStaff = allowed.every((each) => moderators.includes(each));
          const isAllowed = allowed.includes(who) && !isBeyondScope && !(scope && isForStaff);
          const { path, body, happened } = await targetFor(isAllowed);
          const one = signsIn && who !== "removed" ? await clientWith(credential, who) : standing;
          const cookies = new Map(one.visitor.cookies);
          const response = await one.send(method, path, {
            ...(body !== undefined && { body: JSON.stringify(body) }),
            headers: {
              "CF-Connecting-IP": newAddress(),
              ...(body !== undefined && { "Content-Type": "application/json" }),
            },
          });
          one.visitor.cookies.clear();
          for (const [key, value] of cookies) one.visitor.cookies.set(key, value);
          expect(await happened(response.text)).toBe(isAllowed);
          const known = signedIn.includes(who);
          const expected = isBeyondScope ? 403 : isAllowed ? 200 : refusal === 200 || known ? refusal : 401;
          expect(response.status).toBe(expected);
          if (who !== "admin") expect(response.text).not.toContain(secret.address);
          if (!path.startsWith("/phoneInfoCollection") && path !== "/openapi.json") {
            expect(response.headers.get("Cache-Control")).toContain("no-store");
          }
        });
      });
    },
  );
}
