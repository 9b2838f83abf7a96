import { getFormProps } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { recoverySchema } from "#app/features/accounts/account.schema.ts";
import { AccountLink, accountErrors, SignInLayout } from "#app/features/accounts/sign-in-pages.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(errorTitle(error) ?? (data?.sent ? "Check your email" : "Forgot password"));

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

export function loader({ request }: LoaderFunctionArgs) {
  // Public: for users who cannot log in.
  return { sent: new URL(request.url).searchParams.has("sent") };
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: the response does not reveal whether the account exists.
  const submission = parseForm(await readForm(request), recoverySchema);
  if (submission.status !== "success") return invalidForm(submission);
  const limitRefusal = await rateLimitRefusal(context, "request recovery", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const work = async () => {
    const { makeRecoveryDue } = await import("#app/features/accounts/account-mail.server.ts");
    await makeRecoveryDue(context.environment, submission.value.email);
    const query = new URL(request.url).searchParams;
    query.set("sent", "");
    return redirect(`/forgot?${query}`, 303);
  };
  return unlessOutage(context, work, (refusal) => invalidForm(submission, refusal));
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Forgot() {
  const { sent } = useLoaderData<typeof loader>();
  return sent ? <Sent /> : <AddressForm />;
}

function AddressForm() {
  const actionData = useActionData<typeof action>();
  const [form, fields] = useSchemaForm(recoverySchema, {
    id: "forgot",
    lastResult: actionData?.result,
  });
  return (
    <SignInLayout title="Forgot password?">
      <p className="mb-6 text-quiet">
        Enter your email address, and we’ll send you a link to set a new password.
      </p>
      <Form method="post" {...getFormProps(form)} className="grid gap-5">
        <FormErrors form={form} errors={accountErrors(form, fields.email)} labels={{ email: "Email" }} />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" />
        <SubmitButton>Send link</SubmitButton>
      </Form>
      <p className="mt-8 border-t border-base-300 pt-6">
        Remember your password? <AccountLink to="/login">Log in</AccountLink>
      </p>
    </SignInLayout>
  );
}

function Sent() {
  return (
    <SignInLayout title="Check your email">
      <p>
        If there’s an account with this address, we’ve sent it a link to set a new password. It works once,
        within 30 minutes.
      </p>
      <p className="mt-4 text-quiet">
        Nothing after a few minutes? Check your spam folder, and that it’s the address you signed up with.
      </p>
      <p className="mt-8 border-t border-base-300 pt-6">
        <AccountLink to="/forgot">Request another link</AccountLink>, or go back to{" "}
        <AccountLink to="/login">Log in</AccountLink>.
      </p>
    </SignInLayout>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
