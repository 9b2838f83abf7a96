import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { createPersonalAccessToken } from "#app/features/accounts/personal-access-tokens.server.ts";
import { saveDraft } from "#app/features/listings/drafts.server.ts";
import { checkFile } from "#app/features/listings/import/imports.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, accessTokenOf, apiClient, signedInClient } from "./api-client.ts";
import { bookWithoutLimits } from "./bookings.ts";
import { removeUser } from "./fixtures.ts";
import { forgedFields, isForged } from "./mutations/forged-fields.ts";
import { filled, type NamedExample, prepareExample, writes } from "./mutations/mutations.ts";
import {
  addConversation,
  addOffer,
  addOrder,
  addPerson,
  addPhotos,
  addReport,
  addReviews,
  addUnpaidOrder,
} from "./mutations/records.ts";
import { readContract } from "./openapi.ts";
import {
  addAccounts,
  admin,
  roleAccounts,
  secretAddress,
  seesSecretAddress,
  signedIn,
  type Who,
  whoMay,
  whos,
} from "./roles.ts";
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
let hidden: typeof users.$inferSelect;

interface Read {
  /** Whose data it returns, if access to the operation does not say it. */
  of?: "owner" | "administrator";
  /** The status for others, if it is not that of what does not exist. */
  refusal?: number;
  prepare?(): Promise<{ ids?: string[]; query?: string; shows?: RegExp; hides?: string }>;
  /** What the response has for those who may read it, by default a list. */
  shows?: RegExp;
}

const problem = async () => (await addProblem(server.db, { isAsked: true })).problem();

/** A list of one's own, without what belongs to others. */
const ownList = (addOfOthers: () => Promise<string>): Read => ({
  prepare: async () => ({ query: "?limit=100", hides: await addOfOthers() }),
});

/** Each operation that only reads. */
export const reads: Record<string, Read> = {
  "GET /phoneInfoCollection": {},
  "GET /phoneInfoCollection/{category}": { prepare: async () => ({ ids: ["Tablet"] }) },
  "GET /phoneInfoCollection/{category}/{type}": {
    prepare: async () => ({ ids: ["Android", "Smart Phone"] }),
  },
  "GET /models/{slug}/prices": {
    prepare: async () => {
      await addPhone(server.db, { brandName: "Nokia", model: "G42" });
      return { ids: ["nokia-g42"], shows: /"G42"/ };
    },
  },
  "GET /modelFacts": {
    prepare: async () => {
      await addPhone(server.db, { brandName: "Nokia", model: "G42" });
      return { query: "?brandName=Nokia&model=G42", shows: /"G42"/ };
    },
  },
  "GET /drafts": ownList(async () => addDraft()),
  "GET /drafts/{id}": { of: "owner", shows: /fields/, prepare: async () => ({ ids: [await addDraft()] }) },
  "GET /openapi.json": { shows: /"openapi"/ },
  "GET /notifications": ownList(async () => {
    const { productName } = await addOrderOf(await addAccount(server.db), "Of a stranger");
    return productName;
  }),
  "GET /saved": ownList(async () => {
    const saved = writes.find(({ rest }) => rest === "DELETE /saved/{phoneId}");
    const path = saved && (await prepareExample(server, saved)).rest?.path;
    return path?.split("/").at(-1) ?? "";
  }),
  "GET /messages": ownList(async () => (await addConversation(server)).conversationId),
  "GET /offers": ownList(async () => (await addOffer(server)).offerId),
  "GET /addresses": ownList(() => addOwn("POST /addresses", "address")),
  "GET /searches": ownList(() => addOwn("POST /searches", "name")),
  "GET /allPhoneInfo": {
    of: "administrator",
    refusal: 403,
    prepare: async () => ({ query: `?email=${secretAddress}`, shows: /Hidden model/ }),
  },
  "GET /bookings": {
    of: "administrator",
    refusal: 403,
    prepare: async () => ({ query: `?email=${secretAddress}`, shows: /Hidden model/ }),
  },
  "GET /bookings/steps/{id}": {
    of: "administrator",
    shows: /reserved/,
    prepare: async () => ({ ids: [(await addOrder(server)).orderId] }),
  },
  "GET /bookings/{id}/payment": {
    of: "administrator",
    shows: /to pay/,
    prepare: async () => ({ ids: [(await addUnpaidOrder(server)).orderId] }),
  },
  // The shared market has no payment provider.
  "GET /payouts": { of: "owner" },
  "GET /payouts/bookings": { of: "owner" },
  "GET /bookings/problem/{id}": {
    of: "owner",
    shows: /charger/,
    prepare: async () => ({ ids: [(await problem()).orderId] }),
  },
  "GET /bookings/reviews/{id}": {
    of: "owner",
    shows: /stars/,
    prepare: async () => ({ ids: [(await addReviews(server)).orderId] }),
  },
  "GET /messages/{id}": {
    of: "owner",
    shows: /available/,
    prepare: async () => ({ ids: [(await addConversation(server)).conversationId] }),
  },
  "GET /phones/photos/{id}": {
    of: "owner",
    async prepare() {
      const { id } = await addPhone(server.db);
      const [, photoId] = await addPhotos(server, { phoneId: id });
      return { ids: [id], shows: new RegExp(photoId) };
    },
  },
  "GET /shop": { shows: /shopText/ },
  "GET /shop/numbers": { prepare: async () => ({ query: "?days=7", shows: /"days":7/ }) },
  "GET /shop/sold": ownList(async () =>
    addReceivedOrder(server.db, await addAccount(server.db), await addAccount(server.db)),
  ),
  "GET /shop/listings": {
    shows: /^Id,/,
    prepare: async () => ({ hides: (await addPhone(server.db)).id }),
  },
  "GET /imports/{id}": { of: "owner", shows: /checked/, prepare: async () => ({ ids: [await addImport()] }) },
  "GET /imports/rows/{id}": {
    of: "owner",
    shows: /changed/,
    prepare: async () => ({ ids: [await addImport()] }),
  },
  "GET /reviews/seller/{id}": {
    shows: /stars/,
    prepare: async () => ({ ids: [(await addReviews(server)).seller.account.id] }),
  },
  "GET /problems": { prepare: async () => ({ shows: new RegExp((await problem()).id) }) },
  "GET /problems/{id}": { shows: /charger/, prepare: async () => ({ ids: [(await problem()).id] }) },
  "GET /users": { shows: /hidden\.person/ },
  "GET /sellers": { shows: /hidden\.person/ },
  "GET /users/admin/{email}": {
    of: "administrator",
    refusal: 200,
    shows: /"isAdmin":true/,
    prepare: async () => ({ ids: [(await addAccount(server.db, { userType: "Admin" })).email] }),
  },
  "GET /users/seller/{email}": {
    of: "administrator",
    refusal: 200,
    shows: /"isSeller":true/,
    prepare: async () => ({ ids: [secretAddress] }),
  },
  // Nobody gets a token for another user's address, not even administrators.
  "GET /jwt": {
    of: "owner",
    refusal: 403,
    shows: /accessToken/,
    prepare: async () => ({ query: `?email=${secretAddress}` }),
  },
  "GET /report": { shows: /secret details/ },
  "GET /reports/{id}": { shows: /Mia Sund/, prepare: async () => ({ ids: [await addReport(server)] }) },
};

/** The name of each operation. */
export const operationNames = [...new Set([...Object.keys(reads), ...writes.map(({ rest }) => rest)])];

/** Checks a file with a new price of a listing. */
async function addImport(): Promise<string> {
  const { id, sellerId } = await addPhone(server.db);
  const [seller] = await server.db.select().from(users).where(eq(users.id, sellerId));
  const bytes = Buffer.from(`Id,Price\n${id},300`);
  const checked = seller && (await checkFile(server.db, seller, { name: "a.csv", bytes, secrets: [] }));
  if (!checked || "refusal" in checked) throw new Error(checked?.refusal);
  return checked.id;
}

/** @returns the id of a draft of somebody else's */
async function addDraft(): Promise<string> {
  const seller = await addAccount(server.db);
  const id = crypto.randomUUID();
  await saveDraft(server.db, seller, id, { model: "Draft" });
  return id;
}

async function addOrderOf(buyer: typeof users.$inferSelect, model: string) {
  const { id } = await addPhone(server.db, { model });
  await bookWithoutLimits(server.db, buyer, id, { address: "", phone: "" });
  return { productName: model };
}

/** Adds what an operation does, for somebody else. @returns the value of a property of its body */
async function addOwn(operation: string, property: string): Promise<string> {
  const example = writes.find(({ rest }) => rest === operation);
  const prepared = example && (await prepareExample(server, example));
  if (!prepared?.rest) throw new Error(`There is no example of ${operation}.`);
  const { person, rest } = prepared;
  expect((await person.send(rest.path, rest.init)).status).toBe(200);
  return String(Object.entries(rest.body ?? {}).find(([name]) => name === property)?.[1]);
}

async function clientWith(
  credential: Credential,
  who: Who,
  account = who === "anonymous" ? undefined : accounts[who],
): Promise<ApiClient> {
  const byCookie = credential === "cookie";
  const scope = scopeOf(credential);
  if (scope && account) {
    const fields = { name: "Matrix", scope, days: "30" } as const;
    const created = await createPersonalAccessToken(server.db, account, fields, crypto.randomUUID());
    if ("refusal" in created) throw new Error(created.refusal);
    return apiClient(server, { Authorization: `Bearer ${created.token}` });
  }
  if (!account)
    return apiClient(server, byCookie ? {} : { Authorization: `${scope ? "Bearer" : credential} ` });
  const person = await signedInClient(server, account);
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
    ({ accounts, hidden } = await addAccounts(server.db));
    await addPhone(server.db, { sellerId: hidden.id, model: "Hidden model" });
    await addOrderOf(hidden, "Hidden model");
    const made: Partial<typeof clients> = {};
    for (const credential of tried) {
      const people = whos.map(async (who) => [who, await clientWith(credential, who)] as const);
      made[credential] = Object.fromEntries(await Promise.all(people)) as Record<Who, ApiClient>;
    }
    clients = made as typeof clients;
    await removeUser(server.db, accounts.admin, accounts.removed.id);
  });

  interface Target {
    path: string;
    init?: RequestInit & { headers: Record<string, string> };
    /** Whether data were returned or changed that belong to those who may read or change them. */
    happened(text: string): Promise<boolean>;
  }

  async function targetOfRead(template: string, { prepare, shows }: Read): Promise<Target> {
    const { ids = [], query = "", ...added } = (await prepare?.()) ?? {};
    const what = added.shows ?? shows ?? /^\[/;
    return {
      path: filled(template, ids) + query,
      async happened(text) {
        if (added.hides) expect(text).not.toContain(added.hides);
        return what.test(text);
      },
    };
  }

  async function targetOfWrite(
    example: NamedExample,
    by: Parameters<typeof prepareExample>[2],
  ): Promise<Target> {
    const { rest, rows } = await prepareExample(server, example, by, forgedFields(hidden));
    if (!rest) throw new Error("There is no operation.");
    const before = await rows();
    return {
      ...rest,
      async happened() {
        const after = await rows();
        if (after !== before) expect(isForged(after, hidden, by)).toBe(false);
        return after !== before;
      },
    };
  }

  const operations = [
    ...Object.entries(reads).map(([rest, read]) => ({
      rest,
      name: "read",
      of: read.of,
      read,
      example: undefined,
    })),
    ...writes
      .filter(({ triedOnce }) => !triedOnce)
      .map((example) => ({ ...example, read: undefined, example })),
  ];

  describe.each(operations)("$rest, $name", ({ rest, of, read, example }) => {
    const [method = "", template = ""] = rest.split(" ");
    /** The target of the requests that are not allowed to change it. */
    let untouched: Promise<Target> | undefined;

    describe.each(tried)("by %s", (credential) => {
      // The scope of a token is checked before the role.
      test.each(triedBy[credential])("by %s", async (who) => {
        const { document } = await readContract(server);
        const operation = document.paths[template]?.[method.toLowerCase()];
        if (!operation) throw new Error("There is no such operation.");
        const access = operation["x-access"];
        const scope = scopeOf(credential);
        const acceptsTokens = operation.security.some((way) => "personalAccessToken" in way);
        const isBeyondScope =
          signedIn.includes(who) &&
          scope !== null &&
          (!acceptsTokens || (scope === "read" && method !== "GET"));
        const permitted = of === undefined ? whoMay(access) : of === "owner" ? [] : admin;
        // Personal access tokens carry no permission of staff.
        const isForStaff = !permitted.includes("seller");
        const isAllowed = permitted.includes(who) && !isBeyondScope && !(scope && isForStaff);
        const known = signedIn.includes(who);

        const by =
          isAllowed && example && known && who !== "anonymous"
            ? await addPerson(server, roleAccounts[who])
            : undefined;
        const prepare = () => (read ? targetOfRead(template, read) : targetOfWrite(example, by));
        if (!isAllowed) untouched ??= prepare();
        const { path, init, happened } = await (isAllowed ? prepare() : (untouched ?? prepare()));
        const client = by ? await clientWith(credential, who, by.account) : clients[credential][who];
        const cookies = new Map(client.visitor.cookies);
        const response = await client.send(method, path, {
          ...init,
          headers: { ...init?.headers, "CF-Connecting-IP": newAddress() },
        });
        // A sign-up replaces the session.
        client.visitor.cookies.clear();
        for (const [key, value] of cookies) client.visitor.cookies.set(key, value);
        expect(await happened(response.text)).toBe(isAllowed);
        const isOpen = access === "anyone" || access === "signed in";
        const refusal = (read ? read.refusal : example.refused?.rest) ?? (isOpen ? 404 : 403);
        const isOfAll = refusal === 200 && access === "anyone";
        const expected = isBeyondScope ? 403 : isAllowed ? 200 : isOfAll || known ? refusal : 401;
        expect(response.status).toBe(expected);
        if (!seesSecretAddress(who)) expect(response.text).not.toContain(secretAddress);
        if (!/^\/(?:phoneInfoCollection|models\/|openapi\.json$)/.test(path)) {
          expect(response.headers.get("Cache-Control")).toContain("no-store");
        }
      });
    });
  });
}
