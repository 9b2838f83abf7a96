import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { accountAsked } from "#app/features/accounts/whose.server.ts";
import { forbidden } from "./caller.server.ts";
import { pageQuery } from "./list.server.ts";

/**
 * An address in a query. None has a blank in it, so a blank was a plus sign that a client has put in as it is,
 * which a query reads as a blank.
 */
export const addressInQuery = (message?: string) =>
  z.string(message).transform((address) => address.trim().replaceAll(" ", "+"));

/** A list of somebody's own, as it is asked for. */
export const ownListQuery = pageQuery.extend({
  email: addressInQuery()
    .describe("The caller's own address, which is also meant without it; administrators may name another's.")
    .optional(),
});

/**
 * Whose list is asked for: the viewer's own, or anybody's for an administrator.
 *
 * @returns the account's id; null when there is no such account
 * @throws Response 403 when it is not the viewer's to ask for
 */
export async function accountInQuery(
  { db }: AppLoadContext,
  viewer: Viewer,
  email: string | undefined,
): Promise<string | null> {
  const asked = await accountAsked(db, viewer, email);
  if (!asked) throw forbidden();
  return asked.id;
}
