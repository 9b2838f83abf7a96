import type { AppLoadContext } from "@remix-run/cloudflare";
import { sessionIdOf } from "#app/auth/guard.server.ts";
import { findSaving } from "#app/features/saved-listings/saved-listings.server.ts";

/** Whether the viewer has saved a listing, by the session alone: read beside the lookup of the viewer. */
export async function savingFor(context: AppLoadContext, request: Request, phoneId: string) {
  const sessionId = await sessionIdOf(context, request);
  return sessionId ? findSaving(context.db, sessionId, phoneId) : null;
}
