import type { Db } from "#app/db/client.server.ts";
import { tickets, type users } from "#app/db/schema.ts";
import { isPermission, moderatorsMay } from "#app/features/accounts/permissions.ts";
import type { Account } from "./fixtures.ts";
import { removeUser } from "./fixtures.ts";
import { addAccount, type TestServer, type Visitor, visitor } from "./server.ts";

/** Who may do what: everybody who tries each page and each form. */
export const whos = [
  "anonymous",
  "buyer",
  "seller",
  "verified seller",
  "moderator",
  "admin",
  "removed",
] as const;
export type Who = (typeof whos)[number];
export const everyone: readonly Who[] = whos;
export const signedIn: readonly Who[] = ["buyer", "seller", "verified seller", "moderator", "admin"];
export const selling: readonly Who[] = ["seller", "verified seller", "admin"];
export const admin: readonly Who[] = ["admin"];
export const moderators: readonly Who[] = ["moderator", "admin"];

/** Only administrators may see this address: of a seller, and in a report. */
export const secretAddress = "hidden.person@example.com";

/** The accounts of those who are signed in, and of an administrator whose account is deleted. */
export const roleAccounts: Record<Exclude<Who, "anonymous">, Partial<typeof users.$inferInsert>> = {
  buyer: {},
  seller: { userType: "Seller" },
  "verified seller": { userType: "Seller", verified: true },
  moderator: { moderatorSince: new Date() },
  admin: { userType: "Admin" },
  removed: { userType: "Admin" },
};

type Accounts = Record<keyof typeof roleAccounts, Account>;

/** Who may do what a route or an operation asks for. */
export function whoMay(access: string): readonly Who[] {
  if (access === "anyone") return everyone;
  if (access === "signed in") return signedIn;
  if (access === "my sellings") return selling;
  if (!isPermission(access)) throw new Error(`There is no access "${access}".`);
  return moderatorsMay(access) ? moderators : admin;
}

/** Adds an account of each role, and the person of the secret address with a report. */
export async function addAccounts(db: Db) {
  const hidden = await addAccount(db, { email: secretAddress, userType: "Seller" });
  await db.insert(tickets).values({ name: "R", email: secretAddress, details: "secret details" });
  const added: Partial<Accounts> = {};
  for (const [who, values] of Object.entries(roleAccounts))
    added[who as keyof Accounts] = await addAccount(db, values);
  return { accounts: added as Accounts, hidden };
}

/** A browser that is logged in with each role, beside the person of the secret address. */
export async function signInEachRole(server: TestServer) {
  const { accounts, hidden } = await addAccounts(server.db);
  const people = Object.fromEntries(whos.map((who) => [who, visitor(server)])) as Record<Who, Visitor>;
  for (const [who, { email }] of Object.entries(accounts)) await people[who as Who].signIn(email);
  await removeUser(server.db, accounts.admin, accounts.removed.id);
  return { accounts, people, hidden };
}
