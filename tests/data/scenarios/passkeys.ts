import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, passkeys, sessions, users } from "#app/db/schema.ts";
import {
  consumeOneTimeToken,
  issueAnonymousOneTimeToken,
} from "#app/features/accounts/one-time-tokens.server.ts";
import { passkeyAssertionSchema, passkeyRegistrationSchema } from "#app/features/accounts/passkey.schema.ts";
import {
  addPasskey,
  beginPasskeyLogin,
  beginPasskeyRegistration,
  finishPasskeyLogin,
  listPasskeys,
  removePasskey,
} from "#app/features/accounts/passkeys.server.ts";
import { isRecentLogin, openSession } from "#app/features/accounts/sessions.server.ts";
import { type Authenticator, createAuthenticator, type Overrides } from "../../harness/authenticator.ts";
import { undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, removeUser } from "../../harness/fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;

const site = { id: "ringback.example", origin: "https://ringback.example" };

async function begin(db: Db, account: Account) {
  const begun = await beginPasskeyRegistration(db, account, site);
  assert.ok(typeof begun === "object", String(begun));
  return begun;
}

async function add(db: Db, account: Account, authenticator: Authenticator, overrides: Overrides = {}) {
  const { options, token } = await begin(db, account);
  return finish(db, account, token, await authenticator.create(options, overrides));
}

function finish(db: Db, account: Account, token: string, response: unknown) {
  const expected = { site, token, device: "Chrome on Android" };
  return addPasskey(db, account, expected, passkeyRegistrationSchema.parse(JSON.stringify(response)));
}

async function logIn(db: Db, authenticator: Authenticator, overrides: Overrides = {}) {
  const { options, token } = await beginPasskeyLogin(db, site);
  return enter(db, token, await authenticator.get(options, overrides));
}

async function enter(db: Db, token: string, response: unknown): Promise<string> {
  const outcome = await finishPasskeyLogin(
    db,
    { site, token },
    passkeyAssertionSchema.parse(JSON.stringify(response)),
  );
  return "refusal" in outcome ? outcome.refusal : outcome.viewer.id;
}

async function age(db: Db, minutes: number) {
  for (const { id, expiresAt } of await db.select().from(oneTimeTokens)) {
    const earlier = new Date(expiresAt.getTime() - minutes * 60_000);
    await db.update(oneTimeTokens).set({ expiresAt: earlier }).where(eq(oneTimeTokens.id, id));
  }
}

export const addsAPasskeyAndLogsInWithIt = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  assert.equal(await add(db, account, key), "added");
  const [row, ...more] = await db.select().from(passkeys);
  assert.deepEqual(more, []);
  assert.ok(row);
  const { id, userId, counter, transports, backedUp, name, lastUsedAt } = row;
  assert.deepEqual(
    { id, userId, counter, transports, backedUp, name, lastUsedAt },
    {
      id: key.id,
      userId: account.id,
      counter: 1,
      transports: ["internal"],
      backedUp: false,
      name: "Chrome on Android",
      lastUsedAt: null,
    },
  );
  assert.equal(await logIn(db, key), account.id);
  const [used] = await listPasskeys(db, account);
  assert.ok(used?.lastUsedAt && Math.abs(used.lastUsedAt.getTime() - Date.now()) < 60_000);
  assert.deepEqual(await listPasskeys(db, other), []);
  assert.equal((await db.select().from(passkeys))[0]?.counter, 2);
  assert.deepEqual(await db.select().from(oneTimeTokens), []);
};

export const acceptsSelfAttestation = async (db: Db) => {
  const account = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  const { options, token } = await begin(db, account);
  assert.equal(await finish(db, account, token, await key.create(options, {}, "packed")), "added");
  assert.equal(await logIn(db, key), account.id);
};

export const requiresUserVerificationAndNoEmail = async (db: Db) => {
  const account = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  await add(db, account, key);
  const { options } = await begin(db, account);
  assert.deepEqual(options.rp, { name: "Ringback", id: site.id });
  assert.equal(options.user.name, account.email);
  assert.equal(options.attestation, "none");
  assert.deepEqual(
    options.excludeCredentials?.map(({ id }) => id),
    [key.id],
  );
  assert.equal(options.authenticatorSelection?.residentKey, "required");
  assert.equal(options.authenticatorSelection?.userVerification, "required");
  const login = (await beginPasskeyLogin(db, site)).options;
  assert.equal(login.rpId, site.id);
  assert.equal(login.userVerification, "required");
  assert.equal(login.allowCredentials, undefined);
  assert.match(login.challenge, /^[\w-]{43}$/);
};

export const storesOnlyTheHashOfAChallenge = async (db: Db) => {
  const account = await addAccount(db);
  const started = [await begin(db, account), await beginPasskeyLogin(db, site)];
  const rows = await db.select().from(oneTimeTokens);
  assert.deepEqual(rows.map(({ purpose, userId }) => [purpose, userId]).sort(), [
    ["passkey login", null],
    ["passkey registration", account.id],
  ]);
  for (const { token, options } of started) {
    assert.equal(options.challenge, token);
    assert.ok(!JSON.stringify(rows).includes(token));
  }
  for (const { expiresAt } of rows) {
    const minutes = (expiresAt.getTime() - Date.now()) / 60_000;
    assert.ok(minutes > 4 && minutes <= 5, `${minutes} minutes`);
  }
};

export const refusesInvalidRegistrations = async (db: Db) => {
  const account = await addAccount(db);
  const overridesList: Overrides[] = [
    { origin: "https://ringback.example.evil.example" },
    { origin: "http://ringback.example" },
    { origin: "https://shop.ringback.example" },
    { rpId: "evil.example" },
    { rpId: "example" },
    { type: "webauthn.get" },
    { challenge: "A".repeat(43) },
    { unverified: true },
    { absent: true },
  ];
  for (const overrides of overridesList) {
    const key = await createAuthenticator(site.origin);
    assert.equal(await add(db, account, key, overrides), "unverified", JSON.stringify(overrides));
  }
  assert.deepEqual(await db.select().from(passkeys), []);
};

export const refusesInvalidLogins = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  await add(db, account, key);
  const otherHandle = (await begin(db, other)).options.user.id;
  const overridesList: Overrides[] = [
    { origin: "https://ringback.example.evil.example" },
    { origin: "http://ringback.example" },
    { rpId: "evil.example" },
    { type: "webauthn.create" },
    { challenge: "A".repeat(43) },
    { unverified: true },
    { absent: true },
    { userHandle: otherHandle },
    { crossOrigin: { topOrigin: "https://evil.example" } },
  ];
  for (const overrides of overridesList)
    assert.equal(await logIn(db, key, overrides), "unverified", JSON.stringify(overrides));
  // The signature of another key.
  const stranger = await createAuthenticator(site.origin);
  stranger.state.userHandle = key.state.userHandle;
  const { options, token } = await beginPasskeyLogin(db, site);
  const forged = { ...(await stranger.get(options)), id: key.id, rawId: key.id };
  assert.equal(await enter(db, token, forged), "unverified");
  assert.equal((await listPasskeys(db, account))[0]?.lastUsedAt, null);
  assert.equal(await logIn(db, key), account.id);
};

export const acceptsAChallengeOnceBeforeItExpires = async (db: Db) => {
  const account = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  const registration = await begin(db, account);
  const made = await key.create(registration.options);
  assert.equal(await finish(db, account, registration.token, made), "added");
  assert.equal(await finish(db, account, registration.token, made), "expired");

  const login = await beginPasskeyLogin(db, site);
  const responses = await Promise.all([1, 2, 3, 4].map(() => key.get(login.options)));
  const outcomes = await Promise.all(responses.map((response) => enter(db, login.token, response)));
  assert.deepEqual(outcomes.sort(), [account.id, "expired", "expired", "expired"].sort());

  // A wrong response uses the challenge up.
  const { options, token } = await beginPasskeyLogin(db, site);
  assert.equal(await enter(db, token, await key.get(options, { unverified: true })), "unverified");
  assert.equal(await enter(db, token, await key.get(options)), "expired");

  const expiredLogin = await beginPasskeyLogin(db, site);
  const expiredRegistration = await begin(db, account);
  await age(db, 5);
  assert.equal(await enter(db, expiredLogin.token, await key.get(expiredLogin.options)), "expired");
  const second = await createAuthenticator(site.origin);
  assert.equal(
    await finish(db, account, expiredRegistration.token, await second.create(expiredRegistration.options)),
    "expired",
  );
  assert.equal((await listPasskeys(db, account)).length, 1);
};

export const refusesAChallengeOfAnotherKind = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  await add(db, account, key);
  const fresh = await createAuthenticator(site.origin);

  const login = await beginPasskeyLogin(db, site);
  const question = { ...(await begin(db, other)).options, challenge: login.token };
  assert.equal(await finish(db, other, login.token, await fresh.create(question)), "expired");

  const registration = await begin(db, account);
  assert.equal(await enter(db, registration.token, await key.get(registration.options)), "expired");

  // A valid response with another account's challenge.
  const anothers = await begin(db, account);
  assert.equal(await finish(db, other, anothers.token, await fresh.create(anothers.options)), "expired");
  assert.deepEqual(await listPasskeys(db, other), []);
  assert.equal(await finish(db, account, anothers.token, await fresh.create(anothers.options)), "added");
};

export const refusesADecreasingCounter = async (db: Db) => {
  const account = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  await add(db, account, key);
  assert.equal(await logIn(db, key, { count: 7 }), account.id);
  for (const count of [7, 6, 1, 0]) assert.equal(await logIn(db, key, { count }), "counter decreased");
  assert.equal((await db.select().from(passkeys))[0]?.counter, 7);
  assert.equal(await logIn(db, key, { count: 8 }), account.id);
  // Of a key and its copy at once, one succeeds.
  const outcomes = await Promise.all([1, 2, 3].map(() => logIn(db, key, { count: 9 })));
  assert.deepEqual(outcomes.sort(), [account.id, "counter decreased", "counter decreased"].sort());
};

export const acceptsKeysWithoutCounter = async (db: Db) => {
  const account = await addAccount(db);
  const key = await createAuthenticator(site.origin, { counts: false });
  await add(db, account, key);
  for (const _ of [1, 2, 3]) assert.equal(await logIn(db, key), account.id);
};

export const removesOwnPasskeysOnly = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const [kept, lost] = [await createAuthenticator(site.origin), await createAuthenticator(site.origin)];
  await add(db, account, kept);
  await add(db, account, lost);
  assert.equal(await removePasskey(db, other, lost.id), false);
  assert.equal(await logIn(db, lost), account.id);
  assert.equal(await removePasskey(db, account, lost.id), true);
  assert.equal(await removePasskey(db, account, lost.id), false);
  assert.equal(await logIn(db, lost), "unknown");
  assert.equal(await logIn(db, kept), account.id);
};

export const addsAPasskeyToOneAccountOnly = async (db: Db) => {
  const account = await addAccount(db);
  const other = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  assert.equal(await add(db, account, key), "added");
  assert.equal(await add(db, account, key), "already registered");
  assert.equal(await add(db, other, key), "already registered");
  assert.deepEqual(await listPasskeys(db, other), []);
};

export const limitsPasskeysToTen = async (db: Db) => {
  const account = await addAccount(db);
  for (const _ of Array(9).keys()) {
    assert.equal(await add(db, account, await createAuthenticator(site.origin)), "added");
  }
  // Both challenges were issued below the limit.
  const tenth = await createAuthenticator(site.origin);
  const { options, token } = await begin(db, account);
  assert.equal(await finish(db, account, token, await tenth.create(options)), "added");
  assert.equal(await beginPasskeyRegistration(db, account, site), "limit reached");
  assert.equal(await removePasskey(db, account, tenth.id), true);
  const eleventh = await begin(db, account);
  const [row] = await db.select().from(passkeys);
  assert.ok(row);
  await db.insert(passkeys).values({ ...row, id: "another" });
  assert.equal(
    await finish(db, account, eleventh.token, await tenth.create(eleventh.options)),
    "limit reached",
  );
};

export const refusesARemovedAccount = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const account = await addAccount(db);
  const key = await createAuthenticator(site.origin);
  await add(db, account, key);
  const begun = await begin(db, account);
  const removal = await removeUser(db, admin, account.id);
  assert.equal(await logIn(db, key), "disabled");
  const second = await createAuthenticator(site.origin);
  assert.equal(await finish(db, account, begun.token, await second.create(begun.options)), "expired");
  assert.equal(await beginPasskeyRegistration(db, account, site), "rate limited");
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "undone");
  assert.equal(await logIn(db, key), account.id);
  // Deleting the account's row deletes its passkeys.
  await db.delete(users).where(eq(users.id, account.id));
  assert.equal(await logIn(db, key), "unknown");
};

export const deletesExpiredChallenges = async (db: Db) => {
  const token = await issueAnonymousOneTimeToken(db, "passkey login");
  await age(db, 5);
  assert.equal(await consumeOneTimeToken(db, "passkey login", token, null), false);
  await issueAnonymousOneTimeToken(db, "passkey login");
  assert.equal(await db.$count(oneTimeTokens), 1);
};

export const recognizesARecentLogin = async (db: Db) => {
  const id = await openSession(db, await addAccount(db), { seconds: 3600 });
  assert.equal(await isRecentLogin(db, id, 15), true);
  assert.equal(await isRecentLogin(db, "nobody's", 15), false);
  // Use extends a session, but does not make its login recent.
  const opened = new Date(Date.now() - 15 * 60_000);
  await db.update(sessions).set({ createdAt: opened, lastSeenAt: new Date() }).where(eq(sessions.id, id));
  assert.equal(await isRecentLogin(db, id, 15), false);
  assert.equal(await isRecentLogin(db, id, 16), true);
};
