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
} from "#app/auth/passkey.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import { passkeyAssertionSchema } from "#app/features/accounts/passkey.schema.ts";
import {
  beginPasskeyLogIn,
  finishPasskeyLogIn,
  type PasskeyRefusal,
} from "#app/features/accounts/passkey-log-in.server.ts";
import type { PasskeySite } from "#app/features/accounts/passkeys.server.ts";
import { jsonRefusal, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";

const refusals: Record<PasskeyRefusal | "invalid" | "otherHost", { message: string; logReason: string }> = {
  late: { message: "That took too long. Try again.", logReason: "expired" },
  unknown: {
    message: "This passkey is not registered here. Log in another way.",
    logReason: "unknown passkey",
  },
  unverified: { message: "This passkey could not be verified. Try again.", logReason: "not verified" },
  invalid: { message: "This passkey could not be verified. Try again.", logReason: "invalid response" },
  disabled: { message: "This account has been disabled.", logReason: "account removed" },
  copied: {
    message: "This passkey could not be verified. Log in another way.",
    logReason: "signature counter decreased",
  },
  otherHost: {
    message: "Passkeys do not work on this domain. Log in another way.",
    logReason: "other host",
  },
};

// Public: the button is on the login page. The query holds `redirectTo`.
export const loader = ({ request }: LoaderFunctionArgs) => redirect(`/login${new URL(request.url).search}`);

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: login with a passkey.
  const form = await readForm(request);
  const site = passkeySite(context, request);
  if (!site) return refused(context, "otherHost");
  const response = form.get("response");
  const work = () =>
    response === null ? begin(context, request, site) : finish(context, request, site, response);
  return unlessOutage(context, work, jsonRefusal);
}

/** Each challenge works once, so limiting challenges limits logins too. */
async function begin(context: AppLoadContext, request: Request, site: PasskeySite): Promise<Response> {
  if (!(await withinLimit(context, "LOGIN_LIMIT", request))) return jsonRefusal(overLimit("LOGIN_LIMIT"));
  return challengeResponse(context, await beginPasskeyLogIn(context.db, site));
}

async function finish(
  context: AppLoadContext,
  request: Request,
  site: PasskeySite,
  response: FormDataEntryValue,
): Promise<Response> {
  const parsed = passkeyAssertionSchema.safeParse(response);
  if (!parsed.success) return refused(context, "invalid");
  const token = await readChallengeToken(context, request);
  const outcome = await finishPasskeyLogIn(context.db, { site, token }, parsed.data);
  if (typeof outcome === "string") return refused(context, outcome);
  return redirectAsJson(
    await startSessionAndRedirect(context, request, outcome, { headers: await clearChallenge(context) }),
  );
}

function refused({ reference }: AppLoadContext, refusal: keyof typeof refusals): Response {
  const { message, logReason } = refusals[refusal];
  logWarning("login with a passkey failed", logReason, reference);
  return jsonRefusal({ formErrors: [message] });
}
