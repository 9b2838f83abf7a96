import type { AppLoadContext } from "@remix-run/cloudflare";
import { hasJustLoggedIn } from "#app/auth/guard.server.ts";
import { passkeySite } from "#app/auth/passkey.server.ts";
import { passkeyChangeMinutes } from "#app/features/accounts/passkey.rules.ts";
import { listPasskeys } from "#app/features/accounts/passkeys.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";

/** What `PasskeySection` shows. */
export async function passkeySection(context: AppLoadContext, request: Request, viewer: Viewer) {
  const [passkeys, mayChange] = await Promise.all([
    listPasskeys(context.db, viewer),
    mayChangePasskeys(context, request),
  ]);
  return { passkeys, mayChange, mayAdd: mayChange && passkeySite(context, request) !== null };
}

/** Whether it is surely the account's owner who asks: a passkey outlasts the session it was added in. */
export function mayChangePasskeys(context: AppLoadContext, request: Request): Promise<boolean> {
  return hasJustLoggedIn(context, request, passkeyChangeMinutes);
}
