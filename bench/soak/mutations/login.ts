import { issueOneTimeToken } from "#app/features/accounts/one-time-tokens.server.ts";
import { password } from "../../../tests/harness/fixtures.ts";
import { visitor } from "../../../tests/harness/visitor.ts";
import type { Market } from "../market.ts";
import { type MutationCases, request } from "./mutation-case.ts";
import { addPasskey, logInOptions } from "./passkeys.ts";
import { buyerOf, newEmail } from "./records.ts";

const newPassword = "another-secret-1";

// Somebody can ask for another link to verify the address.
const signUp = { follows: ["one_time_tokens"] };

/** Logging in, signing up, and links in emails. */
export const login = {
  "log in": [
    request(
      async (market) => {
        const { account } = await buyerOf(market);
        return { person: visitor(market), path: "/login", fields: { email: account.email, password } };
      },
      { mayRepeat: true },
    ),
    request(
      async (market) => {
        const { key } = await addPasskey(market);
        const person = visitor(market);
        const response = await key.get(await logInOptions(person));
        return { person, path: "/login/passkey", fields: { response: JSON.stringify(response) } };
      },
      { hasChallenge: true, follows: ["one_time_tokens", "passkeys"] },
    ),
  ],
  "confirm password": [
    request(async (market) => ({
      person: await buyerOf(market),
      path: "/manage/account",
      fields: { intent: "password", currentPassword: password, password: newPassword },
    })),
  ],
  "set password": [
    request(async (market) => ({
      person: await withEmailedToken(market, "recovery", "/reset"),
      path: "/reset",
      fields: { password: newPassword },
    })),
  ],
  "verify address": [
    request(async (market) => ({
      person: await withEmailedToken(market, "verification", "/verify"),
      path: "/verify",
      fields: { intent: "confirm" },
    })),
    request(async (market) => ({
      person: await withEmailedToken(market, "verification", "/verify"),
      path: "/verify",
      fields: { intent: "disown" },
    })),
  ],
  "sign up": [
    request(
      async (market) => ({
        person: visitor(market),
        path: "/signup",
        fields: { name: "Mia Sund", email: newEmail(), password },
      }),
      signUp,
    ),
    request(
      async (market) => ({
        person: visitor(market),
        path: "/users",
        method: "POST",
        body: { name: "Mia Sund", email: newEmail(), password, userType: "Buyer" },
      }),
      signUp,
    ),
  ],
  "request recovery": [
    request(
      async (market) => {
        const { account } = await buyerOf(market);
        return { person: visitor(market), path: "/forgot", fields: { email: account.email } };
      },
      { isSilent: true, mayRepeat: true, follows: ["one_time_tokens"] },
    ),
  ],
} satisfies MutationCases;

async function withEmailedToken(market: Market, purpose: "recovery" | "verification", path: string) {
  const person = await buyerOf(market);
  const token = await issueOneTimeToken(market.db, purpose, person.account.id);
  const link = await person.get(`${path}?token=${token}`);
  if (link.status >= 400) throw new Error(`The link to ${path} was not accepted.`);
  return person;
}
