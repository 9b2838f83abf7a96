import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, ReadOnlyField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { passwordHint, signUpSchema } from "./account.schema.ts";
import { AccountLink, AccountPage, accountErrors } from "./account-page.tsx";

export function SignUpPage({
  userType,
  lastResult,
}: {
  userType: "Buyer" | "Seller";
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(signUpSchema, {
    id: "sign-up",
    lastResult,
  });

  return (
    <AccountPage title="Sign Up">
      <Form method="post" {...getFormProps(form)} className="grid gap-5">
        <FormErrors
          form={form}
          errors={accountErrors(form, fields.email)}
          labels={{ name: "Name", email: "Email", password: "Password" }}
        />
        <Field field={fields.name} label="Name" autoComplete="name" />
        <Field field={fields.email} label="Email" type="email" autoComplete="username" />
        <Field
          field={fields.password}
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
        />
        <ReadOnlyField name="userType" label="User Type" value={userType} />
        <SubmitButton>Sign Up</SubmitButton>
      </Form>
      <p className="mt-8 border-t border-base-300 pt-6">
        Already Have an account? <AccountLink to="/login">Log in</AccountLink>
      </p>
    </AccountPage>
  );
}
