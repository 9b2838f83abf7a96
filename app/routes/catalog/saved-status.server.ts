import type { AppLoadContext } from "@remix-run/cloudflare";
import { sessionIdOf } from "#app/auth/guard.server.ts";
import { findSavedStatus } from "#app/features/saved-listings/saved-listings.server.ts";

/** Whether the viewer has saved a listing, by the session alone: read beside the lookup of the viewer. */
export async function savedStatusOf(context: AppLoadContext, request: Request, phoneId: string) {
  const sessionId = await sessionIdOf(context, request);
  return sessionId ? findSavedStatus(context.db, sessionId, phoneId) : null;
}
