import type { AppLoadContext, TypedResponse } from "@remix-run/cloudflare";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { sessionSeconds } from "#app/platform/cookies.server.ts";
import { deviceOf } from "#app/platform/device.ts";
import { redirectWithToast } from "#app/platform/flash.server.ts";
import { safeRedirect } from "#app/platform/safe-redirect.ts";
import { sessionIdOf } from "../guard.server.ts";
import { knownDevice } from "./known-device.server.ts";

/** Opens a session for an account and leads it to where it wanted to go, with the specified greeting. */
export async function enter(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<TypedResponse<never>> {
  const session = await context.cookies.session.getSession(request.headers.get("Cookie"));
  const sessionId = await openSession(context.db, viewer.id, {
    seconds: sessionSeconds,
    previous: await sessionIdOf(context, request),
    device: deviceOf(request),
  });
  session.set("sessionId", sessionId);
  const headers = new Headers({ "Set-Cookie": await context.cookies.session.commitSession(session) });
  headers.append("Set-Cookie", await knownDevice(context, request, viewer.email));
  const target = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
  // The specification's wording, for a login as for a sign-up.
  const toast = { kind: "success", message: `${viewer.email} account created` } as const;
  return redirectWithToast(context, target, toast, headers);
}
