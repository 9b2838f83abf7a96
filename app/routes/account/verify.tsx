import { getFormProps, type SubmissionResult } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { clearOneTimeToken, readOneTimeToken } from "#app/auth/account-emails.server.ts";
import { signedInOf } from "#app/auth/guard.server.ts";
import { confirmPassword } from "#app/auth/password-login.server.ts";
import { ownerVerificationSchema, verificationSchema } from "#app/features/accounts/account.schema.ts";
import { findUnverifiedAccount, verifyEmail } from "#app/features/accounts/email-verification.server.ts";
import { InvalidLink, SignInLayout } from "#app/features/accounts/sign-in-pages.tsx";
import type { DisownOutcome } from "#app/features/profile/account-closing.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Confirm your email address");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: the token in the emailed link is checked, not used up.
  const token = await readOneTimeToken(context, request, "verify");
  const { account, change, isOwner, signedIn } = await verificationOf(context, request, token);
  const newAddress = change && { email: change.newEmail, hasPassword: change.hasPassword };
  const email = change ? null : (account?.email ?? null);
  return json({ email, newAddress, isOwner, signedIn: signedIn !== null }, { status: account ? 200 : 410 });
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: the one-time token identifies the account.
  const form = await readForm(request);
  const limitRefusal = await rateLimitRefusal(context, "verify address", request);
  if (limitRefusal) return invalidForm(parseForm(form, ownerVerificationSchema), limitRefusal);
  const token = await readOneTimeToken(context, request, "verify");
  const { account, change, isOwner, signedIn } = await verificationOf(context, request, token);
  if (!token || !account) return invalidLink();
  const args = { context, request, token, form };
  if (form.get("intent") === "disown") return disown(args);
  const submission = parseForm(form, isOwner ? ownerVerificationSchema : verificationSchema);
  if (!isOwner) {
    // The session has ended since the page was opened, which asked for no password.
    if (!form.has("password")) return invalidForm(submission, sessionEnded);
    if (submission.status !== "success") return invalidForm(submission);
    const credential = { field: "password", password: submission.value.password ?? "" };
    const { refusal } = await confirmPassword(context, request, account, credential);
    if (refusal) return invalidForm(submission, refusal);
  }
  if (!change) return confirmAddress(args);
  const { handleAddressChange } = await import("./handle-address-change.server.ts");
  const sessionId = (isOwner && signedIn?.sessionId) || null;
  const refusal = await handleAddressChange(context, request, { token, change, sessionId });
  return refusal ? invalidForm(submission, refusal) : invalidLink();
});

interface VerificationArgs {
  context: AppLoadContext;
  request: Request;
  token: string;
  form: FormData;
}

// Few requests need it.
const loadAddressChange = () => import("#app/features/accounts/address-change.server.ts");

/** The account of a link, and whether it is signed in here: anyone else must know its password. */
async function verificationOf(context: AppLoadContext, request: Request, token: string | null) {
  const [unverified, change, signedIn] = await Promise.all([
    token === null ? null : findUnverifiedAccount(context.db, token),
    token === null ? null : (await loadAddressChange()).findAddressChange(context.db, token),
    signedInOf(context, request),
  ]);
  const account = unverified ?? change?.account ?? null;
  return { account, change, signedIn, isOwner: account !== null && account.id === signedIn?.viewer.id };
}

const sessionEnded = { status: 409, formErrors: ["You’re logged out. Enter your password."] };

async function confirmAddress({ context, token }: VerificationArgs) {
  if (!(await verifyEmail(context.db, token))) return invalidLink();
  return leave(context, { kind: "success", message: "Email address confirmed" });
}

/** "This wasn’t me": nobody can log in any more to an account that was made with another's address. */
async function disown({ context, token }: VerificationArgs) {
  // Loaded on demand: few requests need it.
  const { disownAccount } = await import("#app/features/profile/account-closing.server.ts");
  const outcome = await disownAccount(context.db, token);
  return outcome === "invalid" ? invalidLink() : leave(context, disownToasts[outcome]);
}

const disownToasts: Record<Exclude<DisownOutcome, "invalid">, Toast> = {
  closed: { kind: "success", message: "Account removed" },
  locked: {
    kind: "success",
    message: "Nobody can log in to it anymore. We keep it while an order is open or it’s suspended.",
  },
  "last administrator": {
    kind: "error",
    message: "This is the only administrator’s account, so it has to stay.",
  },
};

function invalidLink() {
  return json({ result: null }, { status: 410 });
}

async function leave(context: AppLoadContext, toast: Toast) {
  return redirectWithToast(context, "/", toast, await clearOneTimeToken(context, "verify"));
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Verify() {
  const { email, newAddress, isOwner, signedIn } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  if (newAddress && actionData?.result !== null) {
    return (
      <SignInLayout title="Confirm your new email address">
        {isOwner || newAddress.hasPassword ? (
          <ConfirmForm email={newAddress.email} isOwner={isOwner} isNew lastResult={actionData?.result} />
        ) : (
          <>
            <p className="mb-6 wrap-anywhere text-quiet">
              Log in to make {newAddress.email} the address of your account.
            </p>
            <p className="grid">
              <Link to="/login?redirectTo=/verify" className="btn btn-primary">
                Log in
              </Link>
            </p>
          </>
        )}
      </SignInLayout>
    );
  }
  if (email === null || actionData?.result === null) return <NewLink signedIn={signedIn} />;
  return (
    <SignInLayout title="Confirm your email address">
      <ConfirmForm email={email} isOwner={isOwner} lastResult={actionData?.result} />
      <section className="mt-8 border-t border-base-300 pt-6">
        <h2 className="text-xl font-semibold">Didn’t sign up?</h2>
        <p className="mt-2 mb-5 text-quiet">
          Someone else used your address. Remove the account so nobody can log in to it.
        </p>
        <div className="grid">
          <ConfirmPopover
            id="disown"
            label="This wasn’t me"
            className="btn-outline btn-error"
            question="Remove this account?"
            text={`After that, nobody can log in to the account of ${email}. You can’t undo this.`}
          >
            <Form method="post">
              <input type="hidden" name="intent" value="disown" />
              <SubmitButton pending={{ intent: "disown" }} className="btn-error">
                Remove account
              </SubmitButton>
            </Form>
          </ConfirmPopover>
        </div>
      </section>
    </SignInLayout>
  );
}

function ConfirmForm({
  email,
  isOwner,
  isNew = false,
  lastResult,
}: {
  email: string;
  isOwner: boolean;
  /** Whether the address takes the place of another. */
  isNew?: boolean;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(isOwner ? ownerVerificationSchema : verificationSchema, {
    id: "verify",
    lastResult,
  });
  return (
    <>
      <p className="mb-6 wrap-anywhere text-quiet">
        {isNew
          ? `${isOwner ? "Do you want" : "Enter your password to have"} ${email} as your email address from now on${isOwner ? "?" : "."} You’ll be logged out everywhere else.`
          : isOwner
            ? `Is ${email} your address?`
            : `Enter your password to confirm that ${email} is your address.`}
      </p>
      <Form method="post" {...getFormProps(form)} className="grid gap-5">
        <input type="hidden" name="intent" value="confirm" />
        <FormErrors form={form} labels={{ password: "Password" }} />
        {!isOwner && (
          <>
            {/* Not the former address either: the new one may be a stranger's, by a slip. */}
            {!isNew && <input type="text" autoComplete="username" value={email} readOnly hidden />}
            <div>
              <Field
                field={fields.password}
                label="Password"
                type="password"
                autoComplete="current-password"
              />
              {/* A new password would end this link. */}
              {!isNew && (
                <p className="mt-2">
                  <Link to="/forgot" className="link font-medium text-primary">
                    Forgot password?
                  </Link>
                </p>
              )}
            </div>
          </>
        )}
        <SubmitButton pending={{ intent: "confirm" }}>
          {isNew ? "Use this address" : "Confirm my address"}
        </SubmitButton>
      </Form>
    </>
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

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
