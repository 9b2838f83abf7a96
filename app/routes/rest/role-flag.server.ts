import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import type { Role } from "#app/db/values.ts";
import { findAccount } from "#app/features/accounts/accounts.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { isSameAddress } from "./account-in-query.server.ts";

export const byEmail = z.object({ email: z.string() });

/** Whether an account has a role, told to its owner and to administrators; to anyone else it has none. */
export async function hasRole(
  { db }: AppLoadContext,
  viewer: Viewer | null,
  email: string,
  role: Role,
): Promise<boolean> {
  if (viewer && isSameAddress(email, viewer.email)) return viewer.userType === role;
  if (viewer?.userType !== "Admin") return false;
  return (await findAccount(db, email.trim()))?.userType === role;
}
