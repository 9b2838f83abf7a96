import { countLabel } from "#app/market.ts";
import type { TableDefinition, TableQuery } from "#app/server/forms/table-query.ts";
import { undoMinutes } from "#app/terms.ts";
import { type AnyRole, allRoles } from "../accounts/permissions.ts";

const name = { name: "q", label: "Name or email", kind: "words" } as const;
const email = {
  name: "email",
  label: "Email address",
  kind: "choice",
  choices: { yes: "Confirmed", no: "Not confirmed" },
} as const;
const verified = {
  name: "verified",
  label: "Seller",
  kind: "choice",
  choices: { yes: "Verified", no: "Not verified" },
} as const;
const userSorts = {
  oldest: "Oldest first",
  newest: "Newest first",
  name: "Name",
  email: "Email address",
} as const;

export const userTable = {
  filters: [
    name,
    {
      name: "role",
      label: "Role",
      kind: "choice",
      choices: Object.fromEntries(allRoles.map((role) => [role, role])) as { [Name in AnyRole]: Name },
    },
    email,
    {
      name: "account",
      label: "Account",
      kind: "choice",
      choices: { suspended: "Suspended", open: "Not suspended" },
    },
    {
      name: "listings",
      label: "Listings",
      kind: "choice",
      choices: { yes: "With listings", no: "Without listings" },
    },
    { name: "contact", label: "Phone or address", kind: "words" },
  ],
  sorts: userSorts,
} as const satisfies TableDefinition;

export const sellerTable = {
  filters: [name, verified, email],
  sorts: userSorts,
} as const satisfies TableDefinition;

/** A query of either table of users. */
export interface UserQuery {
  filters: TableQuery<typeof userTable>["filters"] & TableQuery<typeof sellerTable>["filters"];
  sort?: keyof typeof userSorts;
  /** Whether buyers who have published a listing are found, too, if names are searched for. */
  findsSelling?: true;
}

/** The query of the table of users that shows what a query of the table of sellers does. */
export function asSellers({ filters, sort }: TableQuery<typeof sellerTable>): UserQuery {
  return { filters: { ...filters, role: "Seller" }, sort, findsSelling: true };
}

/** The tables say that there are more than so many. */
export const maxUsersCounted = 100;

/** How many users there are, of which one more than `maxUsersCounted` are counted. */
export function usersLabel(total: number): string {
  if (total > maxUsersCounted) return `More than ${countLabel(maxUsersCounted)} users`;
  return total === 1 ? "1 user" : `${countLabel(total)} users`;
}

/** What withdrawing the role of a moderator means. */
export const roleWithdrawalText = `They lose Work and Moderation at once, and keep their account. You can undo this for ${undoMinutes} minutes.`;

/** What deleting a user means. */
export const userDeletionText = `They can’t log in anymore, and their listings disappear. You can undo this for ${undoMinutes} minutes.`;
