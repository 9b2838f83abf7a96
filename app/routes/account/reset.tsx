import { getFormProps, type SubmissionResult } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import {
  clearOneTimeToken,
  readOneTimeToken,
  reportCredentialChange,
} from "#app/auth/account-emails.server.ts";
import { resetAttempts } from "#app/auth/known-device.server.ts";
import { newPasswordSchema, passwordHint } from "#app/features/accounts/account.schema.ts";
import { findOneTimeToken } from "#app/features/accounts/one-time-tokens.server.ts";
import { resetPassword, withHashingSlot } from "#app/features/accounts/passwords.server.ts";
import { InvalidLink, SignInLayout } from "#app/features/accounts/sign-in-pages.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessBusy, withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { clientAddress, rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Set a new password");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: the token in the emailed link is checked, not used up.
  const token = await readOneTimeToken(context, request, "reset");
  const usable = token !== null && (await findOneTimeToken(context.db, "recovery", token)) !== null;
  return json({ usable }, { status: usable ? 200 : 410 });
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: the one-time token identifies the account.
  const submission = parseForm(await readForm(request), newPasswordSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const limitRefusal = await rateLimitRefusal(context, "set password", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const token = await readOneTimeToken(context, request, "reset");
  const work = async () => {
    const email = token && (await resetPassword(context.db, token, submission.value.password));
    if (!email) return json({ result: null }, { status: 410 });
    reportCredentialChange(context, email, "password reset");
    // The user probably mistyped the password before, which counts as attempts.
    await resetAttempts(context, request, email);
    const toast = { kind: "success", message: "Password changed. Log in with your new one." } as const;
    return redirectWithToast(context, "/login", toast, await clearOneTimeToken(context, "reset"));
  };
  return unlessBusy(
    () => withHashingSlot(clientAddress(request), work),
    (refusal) => invalidForm(submission, refusal),
  );
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Reset() {
  const { usable } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const expired = actionData?.result === null;
  if (usable && !expired) return <PasswordForm lastResult={actionData?.result ?? undefined} />;
  return (
    <InvalidLink lifetime="30 minutes">
      <p className="mt-8 grid">
        <Link to="/forgot" className="btn btn-primary">
          Request a new link
        </Link>
      </p>
    </InvalidLink>
  );
}

function PasswordForm({ lastResult }: { lastResult: SubmissionResult<string[]> | undefined }) {
  const [form, fields] = useSchemaForm(newPasswordSchema, {
    id: "reset",
    lastResult,
  });
  return (
    <SignInLayout title="Set a new password">
      <p className="mb-6 text-quiet">This logs you out everywhere.</p>
      <Form method="post" {...getFormProps(form)} className="grid gap-5">
        <FormErrors form={form} labels={{ password: "New password" }} />
        <Field
          field={fields.password}
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
        />
        <SubmitButton>Set password</SubmitButton>
      </Form>
    </SignInLayout>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
