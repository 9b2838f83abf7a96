import { eq } from "drizzle-orm";
import { personalAccessTokens, sessions } from "#app/db/schema.ts";
import { createPersonalAccessToken } from "#app/features/accounts/personal-access-tokens.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { unsubscribeToken } from "#app/features/notifications/email-choices.server.ts";
import { listAddresses, saveAddress } from "#app/features/orders/saved-addresses.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { sha256Hex } from "#app/server/config/crypto.server.ts";
import { addPhone, password } from "../../../tests/harness/fixtures.ts";
import { sessionSecret, visitor } from "../../../tests/harness/visitor.ts";
import type { Market } from "../market.ts";
import { type MutationCase, type MutationCases, request } from "./mutation-case.ts";
import { addPasskey, newPasskey } from "./passkeys.ts";
import { addConversation, addListing, addOrder, buyerOf, sellerOf } from "./records.ts";

/** A form of My account. */
const account = (fields: Record<string, string>, personOf = buyerOf): MutationCase =>
  request(async (market) => ({ person: await personOf(market), path: "/manage/account", fields }));

const search = { name: "Cheap", frequency: "daily" };

/** What people change for themselves alone. */
export const ownAccount = {
  "change account": [
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/addresses",
      method: "POST",
      body: { address: "1 Quay Street", phone: "1" },
    })),
    request(async (market) => {
      const person = await buyerOf(market);
      await saveAddress(market.db, person.account, { address: "1 Quay Street", phone: "1" });
      const [saved] = await listAddresses(market.db, person.account);
      return { person, path: `/addresses/${saved?.id}`, method: "DELETE" };
    }),
    account({ intent: "name", name: "Ada Berg" }),
    account({ intent: "emails", kinds: "message" }),
    account({ intent: "close", password }, sellerOf),
    request(async (market) => {
      const person = await buyerOf(market);
      await visitor(market).logIn(person.account.email);
      return { person, path: "/manage/account", fields: { intent: "log out others" } };
    }),
    request(async (market) => {
      const person = await buyerOf(market);
      const [first] = await market.db.select().from(sessions).where(eq(sessions.userId, person.account.id));
      const other = visitor(market);
      await other.logIn(person.account.email);
      const session = await sha256Hex(first?.id ?? "");
      return { person: other, path: "/manage/account", fields: { intent: "log out", session } };
    }),
    request(async (market) => {
      const { seller, person, conversationId = "" } = await addConversation(market);
      await blockOtherSide(market.db, seller.account, conversationId);
      const fields = { intent: "unblock", person: person.account.id };
      return { person: seller, path: "/manage/account", fields };
    }),
  ],
  "change passkeys": [
    request(newPasskey, { hasChallenge: true, follows: ["one_time_tokens"] }),
    request(async (market) => {
      const { person, key, path } = await addPasskey(market);
      return { person, path, fields: { _id: key.id } };
    }),
  ],
  "change tokens": [
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/manage/account/tokens",
      fields: {
        intent: "create",
        name: "Nightly",
        scope: "read",
        days: "30",
        formKey: crypto.randomUUID(),
      },
    })),
    request(async (market) => {
      const person = await buyerOf(market);
      const settings = { name: "Nightly", scope: "read", days: "30" } as const;
      await createPersonalAccessToken(market.db, person.account, settings, crypto.randomUUID());
      const own = eq(personalAccessTokens.userId, person.account.id);
      const [token] = await market.db.select().from(personalAccessTokens).where(own);
      const fields = { intent: "revoke", _id: token?.id ?? "" };
      return { person, path: "/manage/account/tokens", fields };
    }),
  ],
  "export data": [
    request(async (market) => ({ person: await buyerOf(market), path: "/manage/account/data", fields: {} })),
  ],
  "read notifications": [
    request(async (market) => {
      const { seller } = await addOrder(market);
      return { person: seller, path: "/manage/notifications", fields: { intent: "read all" } };
    }),
    request(async (market) => {
      const { seller } = await addOrder(market);
      return { person: seller, path: "/notifications/read", method: "PUT", body: {} };
    }),
  ],
  unsubscribe: [
    request(async (market) => {
      const { account } = await buyerOf(market);
      const token = await unsubscribeToken([sessionSecret], { userId: account.id, kind: "message" });
      return { person: visitor(market), path: `/unsubscribe?token=${token}`, fields: {} };
    }),
  ],
  "save listing": [
    request(async (market) => {
      const { phone } = await addListing(market);
      return { person: await buyerOf(market), path: "/manage/saved/state", fields: { save: phone.id } };
    }),
    request(async (market) => {
      const { phone } = await addListing(market);
      return { person: await buyerOf(market), path: `/saved/${phone.id}`, method: "PUT" };
    }),
    request(async (market) => {
      const { person, phoneId } = await addSaved(market);
      return { person, path: "/manage/saved", fields: { _id: phoneId } };
    }),
    request(async (market) => {
      const { person, phoneId } = await addSaved(market);
      return { person, path: `/saved/${phoneId}`, method: "DELETE" };
    }),
  ],
  "change searches": [
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/manage/searches/new?q=fairphone&to=300",
      fields: search,
    })),
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/searches",
      method: "POST",
      body: { ...search, query: "q=fairphone&to=300" },
    })),
    request(async (market) => {
      const { person, id } = await addSearch(market);
      return { person, path: `/manage/searches/${id}/edit`, fields: search };
    }),
    request(async (market) => {
      const { person, id } = await addSearch(market);
      return { person, path: `/searches/${id}`, method: "PUT", body: search };
    }),
    request(async (market) => {
      const { person, id } = await addSearch(market);
      return { person, path: "/manage/searches", fields: { _id: id } };
    }),
    request(async (market) => {
      const { person, id } = await addSearch(market);
      return { person, path: `/searches/${id}`, method: "DELETE" };
    }),
  ],
} satisfies MutationCases;

async function addSaved(market: Market) {
  const person = await buyerOf(market);
  const { id } = await addPhone(market.db);
  await saveListing(market.db, person.account, id);
  return { person, phoneId: id };
}

async function addSearch(market: Market) {
  const person = await buyerOf(market);
  const query = parseSearchQuery(new URLSearchParams("q=fairphone"));
  const settings = { name: "Fairphones", frequency: "at once" } as const;
  const saved = await saveSearch(market.db, person.account, settings, {
    category: { key: "products" },
    query,
  });
  if (typeof saved === "string") throw new Error(saved);
  return { person, id: saved.id };
}
