import { getFormProps, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { googleButton } from "#app/auth/google-sign-in.server.ts";
import { viewerIfReachable } from "#app/auth/guard.server.ts";
import { logIn } from "#app/auth/log-in.server.ts";
import { passkeySite } from "#app/auth/passkey-challenge-cookie.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import { brand } from "#app/brand.ts";
import { loginSchema } from "#app/features/accounts/account.schema.ts";
import { AccountErrorToast, AccountLink, AccountPage } from "#app/features/accounts/account-page.tsx";
import { PasskeyButton } from "#app/features/accounts/passkey-button.tsx";
import { logInWithPasskey } from "#app/features/accounts/passkey-ceremony.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { formClientAction } from "./form-client-action.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Log in");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  // Public: a signed-in user may log in to another account.
  const viewer = await viewerIfReachable(context, request);
  const passkeys = passkeySite(context, request) !== null;
  return { signedInAs: viewer?.email ?? null, google: googleButton(context), passkeys };
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: login.
  const form = await readForm(request);
  const submission = parseForm(form, loginSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const work = async () => {
    const { viewer, refusal } = await logIn(context, request, form, submission.value);
    return viewer ? startSessionAndRedirect(context, request, viewer) : invalidForm(submission, refusal);
  };
  return unlessOutage(context, work, (refusal) => invalidForm(submission, refusal));
}

export const clientAction = formClientAction(loginSchema);

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Login() {
  const { signedInAs, google, passkeys } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const { search } = useLocation();
  const [form, fields] = useForm({
    id: "login",
    lastResult: actionData?.result,
    constraint: getZodConstraint(loginSchema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: loginSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });

  return (
    <AccountPage title="Log in">
      {signedInAs && (
        <p className="mb-6 rounded-box bg-base-200 px-4 py-3 wrap-anywhere">
          You are logged in as <EmailAddress email={signedInAs} />. Log in again to confirm that it is you, or
          to switch accounts.
        </p>
      )}
      <Form method="post" {...getFormProps(form)} className="grid gap-5">
        <FormErrors form={form} labels={{ email: "Email", password: "Password" }} />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" />
        <div>
          <Field field={fields.password} label="Password" type="password" autoComplete="current-password" />
          <p className="mt-2">
            <AccountLink to="/forgot">Forgot password?</AccountLink>
          </p>
        </div>
        <SubmitButton>Log in</SubmitButton>
      </Form>
      {passkeys && (
        <div className="mt-4 grid noscript:hidden">
          <PasskeyButton start={() => logInWithPasskey(search)}>Continue with a passkey</PasskeyButton>
        </div>
      )}
      {google === "enabled" && (
        // Not fetched by a script, since it redirects to another site.
        <Form method="post" action={`/google${search}`} reloadDocument className="mt-4 grid">
          <SubmitButton action={`/google${search}`} className="btn-outline">
            Continue with Google
          </SubmitButton>
        </Form>
      )}
      {google === "disabled" && (
        <div className="mt-4 grid gap-2">
          <button type="button" className="btn btn-outline" disabled aria-describedby="google-note">
            Continue with Google
          </button>
          <p id="google-note" className="text-center text-sm">
            Google sign-in is not set up
          </p>
        </div>
      )}
      <p className="mt-8 border-t border-base-300 pt-6">
        New to {brand.name}? <AccountLink to="/signup">Sign up</AccountLink> to buy, or{" "}
        <AccountLink to="/sellersignup">sign up as a seller</AccountLink>.
      </p>
      <AccountErrorToast form={form} email={fields.email} />
    </AccountPage>
  );
}

export { RouteError as ErrorBoundary } from "../pages/error-pages.tsx";
