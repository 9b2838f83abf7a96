import type { Db } from "#app/db/client.server.ts";
import { tickets, type users } from "#app/db/schema.ts";
import { isPermission, may } from "#app/features/accounts/permissions.ts";
import type { Account } from "./fixtures.ts";
import { removeUser } from "./fixtures.ts";
import { addAccount, type TestServer, type Visitor, visitor } from "./server.ts";

/** An account of each role. */
const roles = {
  buyer: {},
  seller: { userType: "Seller" },
  "verified seller": { userType: "Seller", verified: true },
  moderator: { moderatorSince: new Date() },
  admin: { userType: "Admin" },
} satisfies Record<string, Partial<typeof users.$inferInsert>>;

/** The accounts of those who are signed in, and of an administrator whose account is deleted. */
export const roleAccounts: Record<keyof typeof roles | "removed", Partial<typeof users.$inferInsert>> = {
  ...roles,
  removed: { userType: "Admin" },
};

/** Who may do what: everybody who tries each page and each form. */
export type Who = keyof typeof roleAccounts | "anonymous";
export const whos = ["anonymous", ...Object.keys(roleAccounts)] as Who[];
export const everyone: readonly Who[] = whos;
export const signedIn = Object.keys(roles) as Who[];
export const admin: readonly Who[] = ["admin"];

type Accounts = Record<keyof typeof roleAccounts, Account>;

/** Who may do what a route or an operation asks for. */
export function whoMay(access: string): readonly Who[] {
  if (access === "anyone") return everyone;
  if (access === "signed in") return signedIn;
  const permission = access === "my sellings" ? "see My Sells" : access;
  if (!isPermission(permission)) throw new Error(`There is no access "${access}".`);
  return Object.entries(roles).flatMap(([who, account]) =>
    may({ userType: "Buyer", moderatorSince: null, ...account }, permission) ? [who as Who] : [],
  );
}

/** Who may see this address: of a seller, and in a support ticket. */
export const secretAddress = "hidden.person@example.com";
export const seesSecretAddress = (who: Who) => whoMay("read support tickets").includes(who);

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
