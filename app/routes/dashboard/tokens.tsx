import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { hasJustLoggedIn, requireUser } from "#app/auth/guard.server.ts";
import { recentLoginMinutes } from "#app/features/accounts/account.rules.ts";
import { maxPersonalAccessTokens } from "#app/features/accounts/account.schema.ts";
import { listPersonalAccessTokens } from "#app/features/accounts/personal-access-tokens.server.ts";
import { CreatedToken } from "#app/features/profile/created-token.tsx";
import { TokenForm } from "#app/features/profile/token-form.tsx";
import { TokenList } from "#app/features/profile/token-list.tsx";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { ActionError } from "#app/ui/action-error.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { Section } from "#app/ui/section.tsx";
import { createToken, revokeToken } from "./tokens.server.ts";

export const meta: MetaFunction = () => pageTitle("Personal access tokens");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [tokens, mayCreate] = await Promise.all([
    listPersonalAccessTokens(context.db, viewer),
    hasJustLoggedIn(context, request),
  ]);
  return { email: viewer.email, tokens, mayCreate, formKey: crypto.randomUUID() };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const handle = form.get("intent") === "revoke" ? revokeToken : createToken;
  return handle(context, request, viewer, form);
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

interface ActionData {
  result?: SubmissionResult<string[]>;
  created?: { name: string; token: string };
}

export default function Tokens() {
  const { email, tokens, mayCreate, formKey } = useLoaderData<typeof loader>();
  const { result, created } = useActionData<ActionData>() ?? {};
  // The result of a refused button has no values.
  const refused = result?.initialValue ? result : undefined;
  const isFull = tokens.length >= maxPersonalAccessTokens;
  return (
    <>
      <BackLink to="/manage/account">My account</BackLink>
      <h1 className="mb-2 text-3xl font-semibold">Personal access tokens</h1>
      <p className="mb-8 max-w-prose text-pretty text-quiet">
        Let your scripts use the{" "}
        <a href="/api" className="link">
          REST API
        </a>{" "}
        as you. Tokens can’t change or delete accounts, and end when you change your password.
      </p>
      {created && <CreatedToken {...created} />}
      <ActionError />
      <Section title="New token" intro="Give each program its own token, with no more access than it needs.">
        {!mayCreate && <LoginNotice />}
        {isFull && (
          <p>You have {maxPersonalAccessTokens} tokens, which is the limit. Revoke one to create another.</p>
        )}
        {((mayCreate && !isFull) || refused) && (
          // A new key resets the form after success.
          <TokenForm key={formKey} email={email} formKey={formKey} lastResult={refused} />
        )}
      </Section>
      <Section
        title="Your tokens"
        intro="Revoke a token that you no longer need or that others may have seen."
      >
        <TokenList tokens={tokens} />
      </Section>
    </>
  );
}

function LoginNotice() {
  return (
    <p className="mb-5">
      You logged in more than {recentLoginMinutes} minutes ago. To create a token,{" "}
      <Link to="/login?redirectTo=/manage/account/tokens&again=yes" className="link font-medium text-primary">
        log in again
      </Link>
      .
    </p>
  );
}
