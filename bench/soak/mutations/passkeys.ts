import { createAuthenticator } from "../../../tests/harness/authenticator.ts";
import type { Visitor } from "../../../tests/harness/visitor.ts";
import type { Market } from "../market.ts";
import { buyerOf } from "./records.ts";

type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;
type Options = Parameters<Authenticator["create"]>[0];

const page = "/manage/account/passkeys";

/** A new person, and what the browser sends to add a passkey. */
export async function newPasskey(market: Market) {
  const person = await buyerOf(market);
  const key = await createAuthenticator(market.url);
  const response = await key.create(await options(person, page, { intent: "add" }));
  return { person, key, path: page, fields: { intent: "add", response: JSON.stringify(response) } };
}

/** A new person with a passkey. */
export async function addPasskey(market: Market) {
  const { person, key, path, fields } = await newPasskey(market);
  const response = await person.post(path, fields);
  if (!response.ok) throw new Error(`The passkey was not added: ${await response.text()}`);
  return { person, key, path };
}

export const logInOptions = (person: Visitor) => options(person, "/login/passkey", {});

async function options(person: Visitor, path: string, fields: Record<string, string>): Promise<Options> {
  const response = await person.post(path, fields);
  if (!response.ok) throw new Error(`${path} gave no challenge: ${await response.text()}`);
  return ((await response.json()) as { options: Options }).options;
}
