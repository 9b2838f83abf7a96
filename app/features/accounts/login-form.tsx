import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { getZodConstraint } from "@conform-to/zod/v4";
import { Form, useLocation } from "@remix-run/react";
import { useRef, useState } from "react";
import { brand } from "#app/brand.ts";
import { networkErrorText } from "#app/server/forms/refused-form.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import type { PasskeyOutcome } from "./passkey-ceremony.ts";
import { AccountLink, AgreementNote, accountErrors, SignInLayout } from "./sign-in-pages.tsx";
import type { AcceptedVersions } from "./sign-up.server.ts";

/** @param constraint of the login schema, which the page itself does not load */
export function LoginPage({
  reason,
  signedInAs,
  google,
  agreement,
  passkeys,
  constraint,
  lastResult,
}: {
  /** What the visitor was about to do. */
  reason: string | null;
  signedInAs: string | null;
  google: "enabled" | "disabled" | "absent";
  /** With Google people also sign up. */
  agreement: AcceptedVersions;
  passkeys: boolean;
  constraint: ReturnType<typeof getZodConstraint>;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const { search } = useLocation();
  const { validate, load } = useLoginValidation();
  const [form, fields] = useForm<{ email: string; password: string }>({
    id: "login",
    lastResult,
    constraint,
    onValidate: validate,
    shouldValidate: validate ? "onBlur" : "onSubmit",
    shouldRevalidate: validate ? "onInput" : "onSubmit",
  });

  return (
    <SignInLayout title="Log in">
      {reason && <p className="-mt-3 mb-6 text-lg wrap-anywhere">{reason}</p>}
      {signedInAs && (
        <p className="mb-6 rounded-box bg-base-200 px-4 py-3 wrap-anywhere">
          You’re logged in as <EmailAddress email={signedInAs} />. Log in again to confirm it’s you, or to
          switch accounts.
        </p>
      )}
      <Form method="post" replace {...getFormProps(form)} className="grid gap-5" onFocus={load}>
        <FormErrors
          form={form}
          errors={accountErrors(form, fields.email)}
          labels={{ email: "Email", password: "Password" }}
        />
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
          <PasskeyButton start={() => startPasskeyLogin(search)}>Continue with a passkey</PasskeyButton>
        </div>
      )}
      {google === "enabled" && (
        // Not fetched by a script, since it redirects to another site.
        <Form method="post" action={`/google${search}`} reloadDocument className="mt-4 grid gap-2">
          <SubmitButton action={`/google${search}`} className="btn-outline">
            Continue with Google
          </SubmitButton>
          <AgreementNote agreement={agreement} />
        </Form>
      )}
      {google === "disabled" && (
        <div className="mt-4 grid gap-2">
          <button
            type="button"
            className="btn btn-outline text-quiet"
            disabled
            aria-describedby="google-note"
          >
            Continue with Google
          </button>
          <p id="google-note" className="text-center text-sm">
            Google login isn’t set up
          </p>
        </div>
      )}
      <p className="mt-8 border-t border-base-300 pt-6">
        New to {brand.name}? <AccountLink to="/signup">Sign up</AccountLink> to buy, or{" "}
        <AccountLink to="/sellersignup">sign up as a seller</AccountLink>.
      </p>
    </SignInLayout>
  );
}

async function startPasskeyLogin(search: string): Promise<PasskeyOutcome> {
  const ceremony = await import("./passkey-ceremony.ts").catch(() => null);
  return ceremony ? ceremony.logInWithPasskey(search) : { error: networkErrorText };
}

/** The browser's validation, loaded when the form is used; until then the server validates. */
function useLoginValidation() {
  const [validate, setValidate] = useState<Awaited<ReturnType<typeof loadLoginValidation>>>();
  const loading = useRef(false);
  const load = () => {
    if (loading.current) return;
    loading.current = true;
    loadLoginValidation().then(
      (loaded) => setValidate(() => loaded),
      // Tried again at the next focus.
      () => {
        loading.current = false;
      },
    );
  };
  return { validate, load };
}

async function loadLoginValidation() {
  const [{ parseWithZod }, { loginSchema }] = await Promise.all([
    import("@conform-to/zod/v4"),
    import("./account.schema.ts"),
  ]);
  return ({ formData }: { formData: FormData }) => parseWithZod(formData, { schema: loginSchema });
}
