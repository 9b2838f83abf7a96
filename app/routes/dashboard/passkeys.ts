import { type ActionFunctionArgs, type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { reportCredentialChange } from "#app/auth/account-emails.server.ts";
import { hasJustLoggedIn, requireUser } from "#app/auth/guard.server.ts";
import {
  challengeResponse,
  passkeySite,
  readChallengeToken,
  redirectAsJson,
} from "#app/auth/passkey-requests.server.ts";
import { passkeyRegistrationSchema } from "#app/features/accounts/passkey.schema.ts";
import type { newPasskeyRefusals, PasskeySite } from "#app/features/accounts/passkeys.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectRefused, redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { deviceOf } from "#app/server/http/device.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal, tooManyAttempts } from "#app/server/http/rate-limits.server.ts";
import { actionFailedToast } from "./table-requests.server.ts";

/** Loaded on demand: few requests need it. */
const loadPasskeys = () => import("#app/features/accounts/passkeys.server.ts");

const page = "/manage/account/security";

export const handle: RouteHandle = { access: "signed in" };

// Public: the passkeys are on the page of the account’s security.
export const loader = () => redirect(page);

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const isScript = form.get("intent") === "add";
  const refusal = await rateLimitRefusal(context, "change passkeys", request);
  if (refusal) {
    return isScript ? refusedForm(refusal) : redirectRefused(context, page, refusal);
  }
  if (!(await hasJustLoggedIn(context, request))) {
    const message = "Log in again to change your passkeys.";
    return redirectWithToast(context, `/login?redirectTo=${page}`, { kind: "error", message });
  }
  if (!isScript) return remove(context, viewer, String(form.get("_id")));
  const site = passkeySite(context, request);
  if (!site) return refuse("other host");
  const response = form.get("response");
  return response === null ? begin(context, viewer, site) : add(context, request, viewer, { site, response });
});

async function remove(context: AppLoadContext, viewer: Viewer, id: string) {
  const { removePasskey } = await loadPasskeys();
  const removed = await removePasskey(context.db, viewer, id);
  if (removed) reportCredentialChange(context, viewer.email, "passkey removed");
  const toast = removed ? ({ kind: "success", message: "Passkey removed" } as const) : actionFailedToast;
  return redirectWithToast(context, page, toast);
}

async function begin(context: AppLoadContext, viewer: Viewer, site: PasskeySite): Promise<Response> {
  const { beginPasskeyRegistration } = await loadPasskeys();
  const started = await beginPasskeyRegistration(context.db, viewer, site);
  if (started === "limit reached") return refuse(started);
  return started === "rate limited"
    ? refusedForm(tooManyAttempts(5 * 60))
    : challengeResponse(context, started);
}

async function add(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  { site, response }: { site: PasskeySite; response: FormDataEntryValue },
): Promise<Response> {
  const parsed = passkeyRegistrationSchema.safeParse(response);
  if (!parsed.success) return refuse("invalid");
  const challenge = { site, token: await readChallengeToken(context, request), device: deviceOf(request) };
  const { addPasskey } = await loadPasskeys();
  const outcome = await addPasskey(context.db, viewer, challenge, parsed.data);
  if (outcome !== "added") return refuse(outcome);
  reportCredentialChange(context, viewer.email, "passkey added");
  return redirectAsJson(
    await redirectWithToast(context, page, { kind: "success", message: "Passkey added" }),
  );
}

async function refuse(refusal: keyof typeof newPasskeyRefusals): Promise<Response> {
  const { newPasskeyRefusals } = await loadPasskeys();
  return refusedForm({ formErrors: [newPasskeyRefusals[refusal]] });
}
