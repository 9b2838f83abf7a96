import { getZodConstraint } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { googleButton } from "#app/auth/google-settings.server.ts";
import { viewerIfReachable } from "#app/auth/guard.server.ts";
import { resetAttempts } from "#app/auth/known-device.server.ts";
import { passkeySite } from "#app/auth/passkey-requests.server.ts";
import { logIn } from "#app/auth/password-login.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import { loginSchema } from "#app/features/accounts/account.schema.ts";
import { LoginPage } from "#app/features/accounts/login-form.tsx";
import {
  againParameter,
  SignedInPage,
  signedInTitle,
  WrongAccountPage,
} from "#app/features/accounts/sign-in-pages.tsx";
import { hasMySellings } from "#app/features/listings/sellings.server.ts";
import { findAgreement } from "#app/features/pages/pages.server.ts";
import { refusalFor } from "#app/frame/menu.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { invalidForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage, withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { loginReason } from "./login-reason.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error, location }) => {
  const showsForm = !data?.signedInAs || new URLSearchParams(location.search).has(againParameter);
  return pageTitle(errorTitle(error) ?? (showsForm ? "Log in" : (data.refusal ?? signedInTitle)));
};
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: a signed-in user may log in to another account.
  const viewer = await viewerIfReachable(context, request);
  const continueTo = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
  const selling = viewer !== null && (await hasMySellings(context.db, viewer));
  return {
    reason: await loginReason(context, request, continueTo),
    signedInAs: viewer?.email ?? null,
    refusal: viewer && refusalFor(context.pages, continueTo, { ...viewer, hasMySellings: selling }),
    continueTo,
    form: {
      google: googleButton(context),
      agreement: await findAgreement(context.db),
      passkeys: passkeySite(context, request) !== null,
      constraint: getZodConstraint(loginSchema),
    },
  };
});

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: login.
  const { submission, account, refusal } = await logIn(context, request, await readForm(request));
  if (!account) return invalidForm(submission, refusal);
  const start = async () => {
    const response = await startSessionAndRedirect(context, request, account, { method: "password" });
    await resetAttempts(context, request, account.email);
    return response;
  };
  return unlessOutage(context, start, (outage) => invalidForm(submission, outage));
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Login() {
  const { reason, signedInAs, refusal, continueTo, form } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.result;
  const [query] = useSearchParams();
  // A refused form is shown again with what was typed.
  const showsForm = !signedInAs || lastResult || query.has(againParameter);
  if (showsForm) {
    return <LoginPage {...form} reason={reason} signedInAs={signedInAs} lastResult={lastResult} />;
  }
  if (refusal) return <WrongAccountPage title={refusal} email={signedInAs} />;
  return (
    <SignedInPage continueTo={continueTo}>
      Your account is <EmailAddress email={signedInAs} />.
    </SignedInPage>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
