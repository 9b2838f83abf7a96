import { eq } from "drizzle-orm";
import {
  accountEmails,
  blocks,
  emailOptOuts,
  notifications,
  oneTimeTokens,
  passkeys,
  personalAccessTokens,
  savedAddresses,
  sessions,
  users,
} from "#app/db/schema.ts";
import { issueOneTimeToken } from "#app/features/accounts/one-time-tokens.server.ts";
import {
  createPersonalAccessToken,
  listPersonalAccessTokens,
} from "#app/features/accounts/personal-access-tokens.server.ts";
import { saveDraft } from "#app/features/listings/drafts.server.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { unsubscribeToken } from "#app/features/notifications/email-choices.server.ts";
import { addSavedAddress, listAddresses } from "#app/features/orders/saved-addresses.server.ts";
import { sha256Hex } from "#app/server/config/crypto.server.ts";
import { password } from "../fixtures.ts";
import { sessionSecret, visitor } from "../visitor.ts";
import { type Example, type Examples, type Fields, type Market, rowsWith } from "./example.ts";
import { addPasskey, logInOptions, newPasskey } from "./passkeys.ts";
import { addConversation, addOrder, buyerOf, newEmail, type Person, sellerOf } from "./records.ts";

const newPassword = "another-secret-1";

const signUp = (form: string, more: Partial<Example> = {}): Example => ({
  form,
  typed: "name",
  // Somebody can ask for another link to verify the address.
  follows: ["one_time_tokens"],
  ...more,
  async prepare(market) {
    const fields = { name: "Mia Sund", email: newEmail(), password };
    const body = { ...fields, userType: "Seller" };
    return { person: visitor(market), fields, body, rows: rowsWith(users.email, fields.email) };
  },
});

/** A form of My account, about the account itself. */
const own = (fields: Fields, more: Partial<Example> = {}): Example => ({
  form: "/manage/account",
  fields,
  async prepare(market, by) {
    const person = by ?? (await buyerOf(market));
    return { person, rows: rowsWith(users.id, person.account.id) };
  },
  ...more,
});

const emailed = (purpose: "recovery" | "verification", form: string, fields: Fields): Example => ({
  form,
  fields,
  async prepare(market) {
    const person = await buyerOf(market);
    const token = await issueOneTimeToken(market.db, purpose, person.account.id);
    const link = await person.get(`${form}?token=${token}`);
    if (link.status >= 400) throw new Error(`The link to ${form} was not accepted.`);
    return { person, rows: rowsWith(users.id, person.account.id) };
  },
});

/** Requests an email to the own address, which is sent in the background. */
const requestsEmail = (
  path: Pick<Example, "form" | "fields" | "refusal" | "typed" | "triedOnce">,
): Example => ({
  ...path,
  isSilent: true,
  mayRepeat: true,
  follows: ["one_time_tokens"],
  async prepare(market, by) {
    const person = by ?? (await buyerOf(market));
    return { person, rows: rowsWith(accountEmails.userId, person.account.id) };
  },
});

/** Logging in, signing up, links in emails, and what people change for themselves alone. */
export const accounts = {
  "log in": [
    {
      form: "/login",
      typed: "email",
      mayRepeat: true,
      async prepare(market) {
        const { account } = await buyerOf(market);
        const fields = { email: account.email, password };
        return { person: visitor(market), fields, rows: rowsWith(sessions.userId, account.id) };
      },
    },
    {
      form: "/login/passkey",
      refusal: "script",
      hasChallenge: true,
      follows: ["one_time_tokens", "passkeys"],
      async prepare(market) {
        const { key, person: owner } = await addPasskey(market);
        const person = visitor(market);
        const response = JSON.stringify(await key.get(await logInOptions(market, person)));
        return { person, fields: { response }, rows: rowsWith(sessions.userId, owner.account.id) };
      },
    },
  ],
  "confirm password": [
    own(
      { intent: "password", currentPassword: password, password: newPassword },
      { form: "/manage/account/security", triedOnce: true },
    ),
  ],
  "set password": [emailed("recovery", "/reset", { password: newPassword })],
  "verify address": [
    emailed("verification", "/verify", { intent: "confirm" }),
    emailed("verification", "/verify", { intent: "disown" }),
  ],
  "sign up": [signUp("/signup", { rest: "POST /users" }), signUp("/sellersignup")],
  "request recovery": [
    {
      form: "/forgot",
      typed: "email",
      isSilent: true,
      mayRepeat: true,
      follows: ["one_time_tokens"],
      async prepare(market) {
        const { id, email } = (await buyerOf(market)).account;
        return { person: visitor(market), fields: { email }, rows: rowsWith(oneTimeTokens.userId, id) };
      },
    },
  ],
  "change account": [
    own({ intent: "name" }, { typed: "name", prepare: withNewName }),
    own(
      { intent: "shop", shopText: "Tested twice." },
      { rest: "PUT /shop", body: { shopText: "Tested twice." }, prepare: withShop },
    ),
    own({ intent: "emails", kinds: "message" }, { form: "/manage/account/emails", prepare: withEmails }),
    own({ intent: "close", password }, { form: "/manage/account/data", triedOnce: true }),
    requestsEmail({ form: "/manage/account/security", fields: { intent: "password link" } }),
    requestsEmail({ form: "/manage/account/verify", refusal: "toast" }),
    {
      form: "/manage/account/addresses",
      rest: "POST /addresses",
      async prepare(market, by) {
        const person = by ?? (await buyerOf(market));
        const delivery = { address: `${crypto.randomUUID()} Quay Street`, phone: "1" };
        const fields = { intent: "add address", ...delivery };
        return { person, fields, body: delivery, rows: rowsWith(savedAddresses.address, delivery.address) };
      },
    },
    {
      form: "/manage/account/addresses",
      rest: "PUT /addresses/{id}",
      of: "owner",
      typed: "phone",
      async prepare(market) {
        const person = await buyerOf(market);
        await addSavedAddress(market.db, person.account, { address: "1 Quay Street", phone: "1" });
        const [saved] = await listAddresses(market.db, person.account);
        const id = saved?.id ?? "";
        const body = { address: `${crypto.randomUUID()} Quay Street`, phone: "2" };
        const fields = { intent: "change address", savedAddress: id, ...body };
        return { person, ids: [id], fields, body, rows: rowsWith(savedAddresses.id, id) };
      },
    },
    {
      form: "/manage/account/addresses",
      rest: "DELETE /addresses/{id}",
      of: "owner",
      refused: { form: 303 },
      async prepare(market) {
        const person = await buyerOf(market);
        await addSavedAddress(market.db, person.account, { address: "1 Quay Street", phone: "1" });
        const [saved] = await listAddresses(market.db, person.account);
        const id = saved?.id ?? "";
        const fields = { intent: "delete address", address: id };
        return { person, ids: [id], fields, rows: rowsWith(savedAddresses.id, id) };
      },
    },
    {
      form: "/manage/account/security",
      of: "owner",
      refused: { form: 303 },
      async prepare(market) {
        const person = await buyerOf(market);
        const { id } = person.account;
        const [first] = await market.db.select().from(sessions).where(eq(sessions.userId, id));
        const other = visitor(market);
        await other.signIn(person.account.email);
        const fields = { intent: "log out", session: await sha256Hex(first?.id ?? ""), userId: id };
        return { person: other, fields, rows: rowsWith(sessions.userId, id) };
      },
    },
    {
      form: "/manage/account/security",
      fields: { intent: "log out others" },
      async prepare(market, by) {
        const person = by ?? (await buyerOf(market));
        await visitor(market).signIn(person.account.email);
        return { person, rows: rowsWith(sessions.userId, person.account.id) };
      },
    },
    {
      form: "/manage/account/security",
      of: "owner",
      refused: { form: 303 },
      async prepare(market) {
        const { seller, person, conversationId } = await addConversation(market);
        await blockOtherSide(market.db, seller.account, conversationId);
        const fields = { intent: "unblock", person: person.account.id };
        return { person: seller, fields, rows: rowsWith(blocks.blockedId, person.account.id) };
      },
    },
  ],
  "change address": [
    requestsEmail({
      form: "/manage/account",
      fields: { intent: "email address", newEmail: "new.address@example.com", currentPassword: password },
      typed: "newEmail",
      triedOnce: true,
    }),
  ],
  "change passkeys": [
    {
      form: "/manage/account/passkeys",
      refusal: "script",
      hasChallenge: true,
      follows: ["one_time_tokens"],
      async prepare(market, by) {
        const { person, fields } = await newPasskey(market, by);
        return { person, fields, rows: rowsWith(passkeys.userId, person.account.id) };
      },
    },
    {
      form: "/manage/account/passkeys",
      refusal: "toast",
      of: "owner",
      refused: { form: 303 },
      async prepare(market) {
        const { person, key } = await addPasskey(market);
        return { person, fields: { _id: key.id }, rows: rowsWith(passkeys.id, key.id) };
      },
    },
  ],
  "change tokens": [
    {
      form: "/manage/account/tokens",
      fields: { intent: "create", scope: "read", days: "30", expiresAt: "9999" },
      hasKey: true,
      typed: "name",
      async prepare() {
        const name = `Nightly ${crypto.randomUUID()}`;
        return { fields: { name }, rows: rowsWith(personalAccessTokens.name, name) };
      },
    },
    {
      form: "/manage/account/tokens",
      of: "owner",
      refused: { form: 303 },
      async prepare(market) {
        const person = await buyerOf(market);
        const settings = { name: "Nightly", scope: "read", days: "30" } as const;
        await createPersonalAccessToken(market.db, person.account, settings, crypto.randomUUID());
        const [token] = await listPersonalAccessTokens(market.db, person.account);
        const fields = { intent: "revoke", _id: token?.id ?? "" };
        return { person, fields, rows: rowsWith(personalAccessTokens.id, token?.id) };
      },
    },
  ],
  "export data": [own({}, { form: "/manage/account/export", refusal: "toast", isRead: true })],
  "read notifications": [
    {
      form: "/manage/notifications",
      rest: "PUT /notifications/read",
      fields: { intent: "read all" },
      of: "owner",
      refused: { form: 303, rest: 200 },
      async prepare(market) {
        const { seller } = await addOrder(market);
        const rows = rowsWith(notifications.userId, seller.account.id);
        const [placed] = await market.db.select().from(notifications).where(rows.where);
        const id = placed?.id ?? "";
        return { person: seller, fields: { _id: id }, body: { ids: [id] }, rows };
      },
    },
  ],
  unsubscribe: [
    {
      form: "/unsubscribe",
      async prepare(market) {
        const { id } = (await buyerOf(market)).account;
        const token = await unsubscribeToken([sessionSecret], { userId: id, kind: "message" });
        return { person: visitor(market), query: `?token=${token}`, rows: rowsWith(emailOptOuts.userId, id) };
      },
    },
  ],
} satisfies Examples;

async function withNewName(market: Market, by?: Person) {
  const person = by ?? (await buyerOf(market));
  const name = `Ada ${crypto.randomUUID()}`;
  return { person, fields: { name }, rows: rowsWith(users.name, name) };
}

async function withShop(market: Market, by?: Person) {
  const person = by ?? (await buyerOf(market));
  const { id } = person.account;
  await saveDraft(market.db, person.account, crypto.randomUUID(), {});
  return { person, rows: rowsWith(users.id, id) };
}

async function withEmails(market: Market, by?: Person) {
  const person = by ?? (await sellerOf(market));
  return { person, rows: rowsWith(emailOptOuts.userId, person.account.id) };
}
