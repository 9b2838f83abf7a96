import { createAuthenticator } from "../authenticator.ts";
import type { Visitor } from "../visitor.ts";
import type { Market } from "./example.ts";
import { buyerOf, postFromElsewhere } from "./records.ts";

type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;
type Options = Parameters<Authenticator["create"]>[0];

const page = "/manage/account/passkeys";

/** What the browser sends to add a passkey, by default for a new person. */
export async function newPasskey(market: Market, by?: Awaited<ReturnType<typeof buyerOf>>) {
  const person = by ?? (await buyerOf(market));
  const key = await createAuthenticator(market.url);
  const response = await key.create(await options(market, person, page, { intent: "add" }));
  return { person, key, fields: { intent: "add", response: JSON.stringify(response) } };
}

/** A new person with a passkey. */
export async function addPasskey(market: Market) {
  const { person, key, fields } = await newPasskey(market);
  const response = await postFromElsewhere(market, person, page, fields);
  if (!response.ok) throw new Error(`The passkey was not added: ${await response.text()}`);
  return { person, key };
}

export const logInOptions = (market: Market, person: Visitor) => options(market, person, "/login/passkey");

async function options(market: Market, person: Visitor, path: string, fields = {}): Promise<Options> {
  const response = await postFromElsewhere(market, person, path, fields);
  if (!response.ok) throw new Error(`${path} gave no challenge: ${await response.text()}`);
  return ((await response.json()) as { options: Options }).options;
}
