import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData, useLocation, useSearchParams } from "@remix-run/react";
import { handleSignUp } from "#app/auth/handle-sign-up.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import type { SignUpRole } from "#app/db/enums.ts";
import { addressTaken } from "#app/features/accounts/account.rules.ts";
import { passwordHint, signUpSchema } from "#app/features/accounts/account.schema.ts";
import {
  AccountLink,
  AgreementNote,
  accountErrors,
  SignedInPage,
  SignInLayout,
  signedInTitle,
} from "#app/features/accounts/sign-in-pages.tsx";
import { findAgreement } from "#app/features/pages/pages.server.ts";
import { type FrameData, useFrame } from "#app/frame/frame.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, ReadOnlyField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";

/** The two pages of this module. The role comes from the path, never from the form. */
const paths: Record<SignUpRole, string> = { Buyer: "/signup", Seller: "/sellersignup" };

const userTypeOf = (pathname: string): SignUpRole =>
  pathname.toLowerCase().startsWith(paths.Seller) ? "Seller" : "Buyer";

export const meta: MetaFunction = ({ error, matches }) => {
  const frame = matches.find(({ id }) => id === "root")?.data as FrameData | undefined;
  return pageTitle(errorTitle(error) ?? (frame?.signedIn ? signedInTitle : "Sign Up"));
};
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = {
  access: "anyone",
  canonical: ({ pathname }) => ({ address: paths[userTypeOf(pathname)], kind: "website" }),
};

export async function loader({ context }: LoaderFunctionArgs) {
  // Public.
  return findAgreement(context.db);
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: sign-up.
  const form = await readForm(request);
  const submission = parseForm(form, signUpSchema);
  if (submission.status !== "success") return invalidForm(submission);
  // First, since the responses below reveal whether an address has an account.
  const limitRefusal = await rateLimitRefusal(context, "sign up", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const userType = userTypeOf(new URL(request.url).pathname);
  const work = async () => {
    const idOf = (page: string) => String(form.get(page) ?? "") || null;
    const agreement = { terms: idOf("terms"), privacy: idOf("privacy") };
    const account = await handleSignUp(context, request, { ...submission.value, userType, agreement });
    if (!account)
      return invalidForm(submission, {
        formErrors: [addressTaken],
        fieldErrors: { email: ["Enter another address"] },
      });
    const { viewer, sessionId: opened } = account;
    return startSessionAndRedirect(context, request, viewer, { method: "sign-up", opened });
  };
  return unlessOutage(context, work, (refusal) => invalidForm(submission, refusal));
}

/** The sign-up form, or for a signed-in user the way on. A refused form is shown again with what was typed. */
export default function SignUp() {
  const lastResult = useActionData<{ result: SubmissionResult<string[]> }>()?.result;
  const { signedIn } = useFrame();
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  if (signedIn && !lastResult) {
    return (
      <SignedInPage continueTo={safeRedirect(query.get("redirectTo"))}>
        To create another account, log out first.
      </SignedInPage>
    );
  }
  return <SignUpForm key={pathname} userType={userTypeOf(pathname)} lastResult={lastResult} />;
}

function SignUpForm({
  userType,
  lastResult,
}: {
  userType: SignUpRole;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const agreement = useLoaderData<typeof loader>();
  const [form, fields] = useSchemaForm(signUpSchema, { id: "sign-up", lastResult });
  return (
    <SignInLayout title="Sign Up">
      <Form method="post" replace {...getFormProps(form)} className="grid gap-5">
        <FormErrors
          form={form}
          errors={accountErrors(form, fields.email)}
          labels={{ name: "Name", email: "Email", password: "Password" }}
        />
        <Field field={fields.name} label="Name" autoComplete="name" />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" />
        {form.errors?.includes(addressTaken) && (
          <p className="-mt-3">
            Is it yours? <AccountLink to="/login">Log in with it</AccountLink> or{" "}
            <AccountLink to="/forgot">reset your password</AccountLink>.
          </p>
        )}
        <Field
          field={fields.password}
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
        />
        <ReadOnlyField name="userType" label="User Type" value={userType} />
        <AgreementNote agreement={agreement} />
        <SubmitButton>Sign Up</SubmitButton>
      </Form>
      <p className="mt-8 border-t border-base-300 pt-6">
        Already Have an account? <AccountLink to="/login">Log in</AccountLink>
      </p>
    </SignInLayout>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
