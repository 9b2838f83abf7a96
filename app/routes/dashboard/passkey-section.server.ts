import type { AppLoadContext } from "@remix-run/cloudflare";
import { hasJustLoggedIn } from "#app/auth/guard.server.ts";
import { passkeySite } from "#app/auth/passkey-challenge-cookie.server.ts";
import { passkeyChangeMinutes } from "#app/features/accounts/passkey.rules.ts";
import { listPasskeys } from "#app/features/accounts/passkeys.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";

/** Loads the data of `PasskeySection`. */
export async function passkeySection(context: AppLoadContext, request: Request, viewer: Viewer) {
  const [passkeys, mayChange] = await Promise.all([
    listPasskeys(context.db, viewer),
    mayChangePasskeys(context, request),
  ]);
  return { passkeys, mayChange, mayAdd: mayChange && passkeySite(context, request) !== null };
}

/** Whether the user may change passkeys: only after a recent login, since a passkey outlives the session. */
export function mayChangePasskeys(context: AppLoadContext, request: Request): Promise<boolean> {
  return hasJustLoggedIn(context, request, passkeyChangeMinutes);
}
