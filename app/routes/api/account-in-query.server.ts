import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { forbidden } from "#app/auth/api-client.server.ts";
import { findAccessibleAccount } from "#app/features/accounts/account-access.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { listQuerySchema } from "./list.server.ts";

/** An email address in a query. A space stands for a plus sign that the client did not encode. */
export const emailInQuery = (message?: string) =>
  z.string(message).transform((email) => email.trim().replaceAll(" ", "+"));

export const ownListQuery = listQuerySchema.extend({
  email: emailInQuery()
    .describe(
      "Your own email address, which is the default. Administrators can use anyone’s, but not with a personal access token.",
    )
    .optional(),
});

/** Returns the account's id, or null if it does not exist. @throws Response 403 for another user's account */
export async function accountInQuery(
  { db }: AppLoadContext,
  viewer: Viewer,
  email: string | undefined,
): Promise<string | null> {
  const account = await findAccessibleAccount(db, viewer, email);
  if (!account) throw forbidden(viewer);
  return account.id;
}
