import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { passwordHint, passwordSchema } from "../accounts/account.schema.ts";

export function PasswordSection({
  email,
  lastResult,
}: {
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(passwordSchema, {
    id: "new-password",
    lastResult,
  });
  return (
    <Section
      title="Password"
      intro="Changing your password logs you out on all other devices and ends your access tokens."
    >
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
        <input type="hidden" name="intent" value="password" />
        <FormErrors form={form} labels={{ currentPassword: "Current password", password: "New password" }} />
        <HiddenUsername email={email} />
        <Field
          field={fields.currentPassword}
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <Field
          field={fields.password}
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
        />
        <SubmitButton pending={{ intent: "password" }} className="btn-primary justify-self-start">
          Change password
        </SubmitButton>
      </Form>
    </Section>
  );
}

/** Sends the link by email, since there is no current password to ask for at an open browser. */
export function FirstPasswordSection() {
  return (
    <Section
      title="Password"
      intro="You log in without a password. If you set one, you can also log in with your email address."
    >
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="password link" />
        <p className="mb-5">
          We will send you a link to set a password. It works once. Setting the password logs you out on all
          devices and ends your access tokens.
        </p>
        <SubmitButton pending={{ intent: "password link" }} className="btn-outline">
          Send me a link to set a password
        </SubmitButton>
      </Form>
    </Section>
  );
}

/** Shows password managers which account a form belongs to. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden />;
}
