import { isSuspended, type Viewer } from "#app/features/accounts/viewer.ts";
import type { Mutation } from "#app/server/http/rate-limits.server.ts";

/**
 * What a suspended account may still do: finish its orders, keep its account, and appeal. Administrators and
 * moderators cannot be suspended.
 */
export const whileSuspended: Record<Mutation, "allowed" | "refused"> = {
  "log in": "allowed",
  "confirm password": "allowed",
  "set password": "allowed",
  "verify address": "allowed",
  "sign up": "allowed",
  "request recovery": "allowed",
  report: "allowed",
  "report content": "refused",
  "decide report": "refused",
  "appeal decision": "allowed",
  book: "refused",
  "change delivery": "allowed",
  review: "refused",
  publish: "refused",
  "edit listing": "refused",
  "add photos": "refused",
  "change photos": "refused",
  "delete listing": "allowed",
  "advance order": "allowed",
  "cancel order": "allowed",
  "order problem": "allowed",
  "decide problem": "refused",
  "delete user": "refused",
  "verify seller": "refused",
  "change role": "refused",
  "undo deletion": "refused",
  "change account": "allowed",
  "change passkeys": "allowed",
  "change tokens": "allowed",
  "export data": "allowed",
  message: "refused",
  offer: "refused",
  "mark as read": "allowed",
  unsubscribe: "allowed",
  "change searches": "allowed",
  "save listing": "allowed",
  block: "allowed",
  "bulk action": "refused",
  "end sessions": "refused",
  "read notifications": "allowed",
  "count view": "allowed",
};

/** Why a suspended account may not do this; null if it may. Pages and the API ask here. */
export function suspensionRefusal(viewer: Viewer, mutation: Mutation): string | null {
  if (whileSuspended[mutation] === "allowed" || !isSuspended(viewer)) return null;
  return "You can’t do this while your account is suspended.";
}

/** Why a suspended account may not change its name, which others see; null if it may. */
export function nameChangeRefusal(viewer: Viewer): string | null {
  return isSuspended(viewer) ? "You can’t change your name while your account is suspended." : null;
}
