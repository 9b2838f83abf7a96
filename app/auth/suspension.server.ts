import { isSuspended, type Viewer } from "#app/features/accounts/viewer.ts";
import { type Mutation, mutations } from "#app/server/http/mutations.server.ts";

/** Why a suspended account may not do this; null if it may. Pages and the API ask here. */
export function suspensionRefusal(viewer: Viewer, mutation: Mutation): string | null {
  if (mutations[mutation].whileSuspended === "allowed" || !isSuspended(viewer)) return null;
  return "You can’t do this while your account is suspended.";
}

/** Why a suspended account may not change its name, which others see; null if it may. */
export function nameChangeRefusal(viewer: Viewer): string | null {
  return isSuspended(viewer) ? "You can’t change your name while your account is suspended." : null;
}
