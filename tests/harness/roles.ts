import { reports, type users } from "#app/db/schema.ts";
import { removeUser } from "#app/features/administration/user-actions.server.ts";
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

/** An account of each role and a browser that is logged in with it, beside the person of the secret address. */
export async function signInEachRole(server: TestServer) {
  await addAccount(server.db, { email: secretAddress, userType: "Seller" });
  await server.db.insert(reports).values({ name: "R", email: secretAddress, details: "secret details" });
  const accounts: Record<Exclude<Who, "anonymous">, typeof users.$inferSelect> = {
    buyer: await addAccount(server.db),
    seller: await addAccount(server.db, { userType: "Seller" }),
    "verified seller": await addAccount(server.db, { userType: "Seller", verified: true }),
    moderator: await addAccount(server.db, { moderatorSince: new Date() }),
    admin: await addAccount(server.db, { userType: "Admin" }),
    removed: await addAccount(server.db, { userType: "Admin" }),
  };
  const people = Object.fromEntries(whos.map((who) => [who, visitor(server)])) as Record<Who, Visitor>;
  for (const [who, { email }] of Object.entries(accounts)) await people[who as Who].signIn(email);
  await removeUser(server.db, accounts.admin, accounts.removed.id);
  return { accounts, people };
}
