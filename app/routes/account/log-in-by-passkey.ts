import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/cloudflare";
import {
  challengeResponse,
  clearChallenge,
  passkeySite,
  readChallengeToken,
  redirectAsJson,
} from "#app/auth/passkey-requests.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import { passkeyAssertionSchema } from "#app/features/accounts/passkey.schema.ts";
import type { PasskeySite, passkeyLoginRefusals } from "#app/features/accounts/passkeys.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";

/** Loaded on demand: few requests need it. */
const loadPasskeys = () => import("#app/features/accounts/passkeys.server.ts");

export const handle: RouteHandle = { access: "anyone" };

// Public: the button is on the login page. The query holds `redirectTo`.
export const loader = ({ request }: LoaderFunctionArgs) => redirect(`/login${new URL(request.url).search}`);

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: login with a passkey.
  const form = await readForm(request);
  const site = passkeySite(context, request);
  if (!site) return refuse(context, "other host");
  const response = form.get("response");
  const work = () =>
    response === null ? begin(context, request, site) : finish(context, request, site, response);
  return unlessOutage(context, work, refusedForm);
}

/** Each challenge works once, so limiting challenges limits logins too. */
async function begin(context: AppLoadContext, request: Request, site: PasskeySite): Promise<Response> {
  const limitRefusal = await rateLimitRefusal(context, "log in", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const { beginPasskeyLogin } = await loadPasskeys();
  return challengeResponse(context, await beginPasskeyLogin(context.db, site));
}

async function finish(
  context: AppLoadContext,
  request: Request,
  site: PasskeySite,
  response: FormDataEntryValue,
): Promise<Response> {
  const parsed = passkeyAssertionSchema.safeParse(response);
  if (!parsed.success) return refuse(context, "invalid");
  const token = await readChallengeToken(context, request);
  const { finishPasskeyLogin } = await loadPasskeys();
  const outcome = await finishPasskeyLogin(context.db, { site, token }, parsed.data);
  if ("refusal" in outcome) return refuse(context, outcome.refusal);
  const login = { method: "passkey", headers: await clearChallenge(context) } as const;
  const redirected: unknown = await startSessionAndRedirect(context, request, outcome.viewer, login).catch(
    (thrown: unknown) => thrown,
  );
  if (!(redirected instanceof Response)) throw redirected;
  return redirectAsJson(redirected);
}

async function refuse(
  { reference }: AppLoadContext,
  refusal: keyof typeof passkeyLoginRefusals,
): Promise<Response> {
  const { passkeyLoginRefusals } = await loadPasskeys();
  const { message, logReason } = passkeyLoginRefusals[refusal];
  logWarning("login with a passkey failed", logReason, reference);
  return refusedForm({ formErrors: [message] });
}
