import type { SubmissionResult } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { reportCredentialChange } from "#app/auth/account-emails.server.ts";
import { formRefusal, hasJustLoggedIn, requireUser } from "#app/auth/guard.server.ts";
import { recentLoginMinutes } from "#app/features/accounts/account.rules.ts";
import { maxPersonalAccessTokens, personalAccessTokenSchema } from "#app/features/accounts/account.schema.ts";
import {
  createPersonalAccessToken,
  listPersonalAccessTokens,
  revokePersonalAccessToken,
} from "#app/features/accounts/personal-access-tokens.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { CreatedToken, TokenForm, TokenList } from "#app/features/profile/tokens-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  type FormRefusal,
  formKeyOf,
  invalidForm,
  parseForm,
  readForm,
  refusedForm,
} from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { Section } from "#app/ui/section.tsx";
import { actionFailedToast } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Personal access tokens");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

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

/** Creates a token and responds with its text, the only time that it is sent. */
async function createToken(context: AppLoadContext, request: Request, viewer: Viewer, form: FormData) {
  const submission = parseForm(form, personalAccessTokenSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal({ context, request, viewer, form }, "change tokens");
  if (refusal) return invalidForm(submission, refusal);
  if (!(await hasJustLoggedIn(context, request))) {
    return invalidForm(submission, refusals["login too old"]);
  }
  const { value } = submission;
  const formKey = formKeyOf(form) ?? crypto.randomUUID();
  const outcome = await createPersonalAccessToken(context.db, viewer, value, formKey);
  if ("refusal" in outcome) return invalidForm(submission, refusals[outcome.refusal]);
  reportCredentialChange(context, viewer.email, "token created");
  return json({ created: { name: value.name, token: outcome.token } });
}

/** Ends the token whose row's button was pressed. */
async function revokeToken(context: AppLoadContext, request: Request, viewer: Viewer, form: FormData) {
  const limitRefusal = await rateLimitRefusal(context, "change tokens", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const revoked = await revokePersonalAccessToken(context.db, viewer, String(form.get("_id")));
  const toast = revoked ? ({ kind: "success", message: "Token revoked" } as const) : actionFailedToast;
  return redirectWithToast(context, pathAndQuery(request), toast);
}

/** All 409: the page is out of date, and is loaded again. */
const refusals: Record<"login too old" | "limit reached" | "form used", FormRefusal> = {
  "login too old": {
    status: 409,
    formErrors: [`Log in again, then create the token within ${recentLoginMinutes} minutes.`],
  },
  "limit reached": {
    status: 409,
    formErrors: [`You have ${maxPersonalAccessTokens} tokens. Revoke one to create another.`],
  },
  "form used": {
    status: 409,
    formErrors: ["You’ve already created a token here. Submit again for another one."],
  },
};

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
      <BackLink to="/manage/account/security">Security</BackLink>
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
      <Section title="New token" intro="One for each script, with no more access than it needs.">
        {!mayCreate && <LoginNotice />}
        {isFull && (
          <p>
            You have {maxPersonalAccessTokens} tokens, and that’s the limit. Revoke one to create another.
          </p>
        )}
        {((mayCreate && !isFull) || refused) && (
          // A new key resets the form after success.
          <TokenForm key={formKey} email={email} formKey={formKey} lastResult={refused} />
        )}
      </Section>
      <Section
        title="Your tokens"
        intro="Revoke the ones you don’t need, or that somebody else may have seen."
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
