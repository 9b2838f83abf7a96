import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { clearOneTimeToken, readOneTimeToken } from "#app/auth/emailed-token-cookie.server.ts";
import { viewerOf } from "#app/auth/guard.server.ts";
import { AccountPage, InvalidLink } from "#app/features/accounts/account-page.tsx";
import { findOneTimeToken } from "#app/features/accounts/one-time-tokens.server.ts";
import { verifyEmail } from "#app/features/accounts/verification.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { SubmitButton } from "#app/ui/button.tsx";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Confirm your email address");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: the token in the emailed link is checked, not used up.
  const token = await readOneTimeToken(context, request, "verify");
  const usable = token !== null && (await findOneTimeToken(context.db, "verification", token)) !== null;
  const signedIn = (await viewerOf(context, request)) !== null;
  return json({ usable, signedIn }, { status: usable ? 200 : 410 });
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: the one-time token identifies the account.
  const token = await readOneTimeToken(context, request, "verify");
  const done = token !== null && (await verifyEmail(context.db, token));
  if (!done) return json({ expired: true }, { status: 410 });
  const toast = { kind: "success", message: "Email address confirmed." } as const;
  return redirectWithToast(context, "/", toast, await clearOneTimeToken(context, "verify"));
});

export default function Verify() {
  const { usable, signedIn } = useLoaderData<typeof loader>();
  const expired = useActionData<typeof action>()?.expired ?? false;
  if (!usable || expired) return <NewLink signedIn={signedIn} />;
  return (
    <AccountPage title="Confirm your email address">
      <p className="mb-6 text-quiet">Confirm that this is your email address.</p>
      <Form method="post" className="grid">
        <SubmitButton>Confirm my address</SubmitButton>
      </Form>
    </AccountPage>
  );
}

function NewLink({ signedIn }: { signedIn: boolean }) {
  return (
    <InvalidLink lifetime="24 hours">
      {signedIn ? (
        <Form method="post" action="/manage/account/verify" className="mt-8 grid">
          <SubmitButton action="/manage/account/verify">Send a new link</SubmitButton>
        </Form>
      ) : (
        <p className="mt-8 grid">
          <Link to="/login?redirectTo=/verify" className="btn btn-primary">
            Log in to request a new link
          </Link>
        </p>
      )}
    </InvalidLink>
  );
}

export { RouteError as ErrorBoundary } from "../pages/error-pages.tsx";
