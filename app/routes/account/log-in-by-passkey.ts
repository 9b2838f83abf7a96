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
  refusePasskey,
} from "#app/auth/passkey.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import { usedPasskeySchema } from "#app/features/accounts/passkey.schema.ts";
import {
  beginLogInByPasskey,
  logInByPasskey,
  type PasskeyRefusal,
} from "#app/features/accounts/passkey-log-in.server.ts";
import type { PasskeySite } from "#app/features/accounts/passkeys.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";

/** The message for the user and the reason in the log. */
const refusals: Record<PasskeyRefusal | "unreadable" | "elsewhere", { say: string; kind: string }> = {
  late: { say: "That took too long. Try again.", kind: "expired" },
  unknown: { say: "This passkey is not registered here. Log in another way.", kind: "unknown passkey" },
  unverified: { say: "This passkey could not be checked. Try again.", kind: "not verified" },
  unreadable: { say: "This passkey could not be checked. Try again.", kind: "invalid response" },
  disabled: { say: "This account has been disabled.", kind: "account removed" },
  copied: {
    say: "This passkey could not be checked. Log in another way.",
    kind: "signature counter decreased",
  },
  elsewhere: { say: "Passkeys do not work at this address. Log in another way.", kind: "other host" },
};

// Public: the button is on the login page. The query holds `redirectTo`.
export const loader = ({ request }: LoaderFunctionArgs) => redirect(`/login${new URL(request.url).search}`);

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: login with a passkey.
  const form = await readForm(request);
  const site = passkeySite(context, request);
  if (!site) return refused(context, "elsewhere");
  const response = form.get("response");
  const work = () =>
    response === null ? begin(context, request, site) : finish(context, request, site, response);
  return unlessOutage(context, work, refusePasskey);
}

/** Each challenge works once, so limiting challenges limits logins too. */
async function begin(context: AppLoadContext, request: Request, site: PasskeySite): Promise<Response> {
  if (!(await withinLimit(context, "LOGIN_LIMIT", request))) return refusePasskey(overLimit("LOGIN_LIMIT"));
  return challengeResponse(context, await beginLogInByPasskey(context.db, site));
}

async function finish(
  context: AppLoadContext,
  request: Request,
  site: PasskeySite,
  response: FormDataEntryValue,
): Promise<Response> {
  const answer = usedPasskeySchema.safeParse(response);
  if (!answer.success) return refused(context, "unreadable");
  const token = await readChallengeToken(context, request);
  const outcome = await logInByPasskey(context.db, { site, token }, answer.data);
  if (typeof outcome === "string") return refused(context, outcome);
  return redirectAsJson(
    await startSessionAndRedirect(context, request, outcome, { headers: await clearChallenge(context) }),
  );
}

function refused({ reference }: AppLoadContext, why: keyof typeof refusals): Response {
  const { say, kind } = refusals[why];
  logWarning("login with a passkey failed", kind, reference);
  return refusePasskey({ formErrors: [say] });
}
