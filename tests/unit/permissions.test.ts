import { expect, test } from "vitest";
import {
  type AnyRole,
  allRoles,
  moderatorsMay,
  type Permission,
  rolesThatMay,
} from "#app/features/accounts/permissions.ts";

/** Written down a second time, since the tests of pages and forms take it from the product. */
const rolesOf: Record<Permission, AnyRole[]> = {
  "see My Sells": ["Seller", "Admin"],
  "see work": ["Moderator", "Admin"],
  moderate: ["Moderator", "Admin"],
  "write notes": ["Moderator", "Admin"],
  "keep saved replies": ["Moderator", "Admin"],
  "suspend for good": ["Admin"],
  "manage moderators": ["Admin"],
  "manage users": ["Admin"],
  "write to users": ["Admin"],
  "write pages": ["Admin"],
  "verify sellers": ["Admin"],
  "manage orders": ["Admin"],
  "manage listings": ["Admin"],
  "read support tickets": ["Admin"],
  "search records": ["Admin"],
  "see numbers": ["Admin"],
  "see activity": ["Admin"],
  "see the system": ["Admin"],
  "export tables": ["Admin"],
  "change in bulk": ["Admin"],
};

test.each(Object.keys(rolesOf) as Permission[])("“%s” is for its roles alone", (permission) => {
  const may = (role: AnyRole) =>
    role === "Moderator" ? moderatorsMay(permission) : rolesThatMay(permission).includes(role);
  expect(allRoles.filter(may)).toEqual(rolesOf[permission]);
});
