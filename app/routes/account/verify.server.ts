import { type AppLoadContext, json } from "@remix-run/cloudflare";
import { clearOneTimeToken } from "#app/auth/account-emails.server.ts";
import { viewerOf } from "#app/auth/guard.server.ts";
import { confirmPassword } from "#app/auth/passwords.server.ts";
import { verificationSchema } from "#app/features/accounts/account.schema.ts";
import { findUnverifiedAccount, verifyEmail } from "#app/features/accounts/verification.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { type DisownOutcome, disownAccount } from "#app/features/profile/account-closing.server.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm } from "#app/server/forms/forms.server.ts";

interface VerificationArgs {
  context: AppLoadContext;
  request: Request;
  token: string;
  form: FormData;
}

/** The account of a link, and whether it is signed in here: anyone else must know its password. */
export async function verificationOf(context: AppLoadContext, request: Request, token: string | null) {
  const [account, viewer] = await Promise.all([
    token === null ? null : findUnverifiedAccount(context.db, token),
    viewerOf(context, request),
  ]);
  return { account, viewer, isOwner: account !== null && account.id === viewer?.id };
}

export async function confirmAddress(
  args: VerificationArgs,
  { account, isOwner }: { account: Viewer; isOwner: boolean },
) {
  const { context, request, token, form } = args;
  if (!isOwner) {
    const submission = parseForm(form, verificationSchema);
    // The session has ended since the page was opened, which asked for no password.
    if (!form.has("password")) return invalidForm(submission, sessionEnded);
    if (submission.status !== "success") return invalidForm(submission);
    const credential = { field: "password", password: submission.value.password };
    const { refusal } = await confirmPassword(context, request, account, credential);
    if (refusal) return invalidForm(submission, refusal);
  }
  if (!(await verifyEmail(context.db, token))) return invalidLink();
  return leave(context, { kind: "success", message: "Email address confirmed." });
}

const sessionEnded = { status: 409, formErrors: ["You are no longer logged in. Enter your password."] };

/** "This was not me": nobody can log in any more to an account that was made with another's address. */
export async function disown({ context, token }: VerificationArgs) {
  const outcome = await disownAccount(context.db, token);
  return outcome === "invalid" ? invalidLink() : leave(context, disownToasts[outcome]);
}

const disownToasts: Record<Exclude<DisownOutcome, "invalid">, Toast> = {
  closed: { kind: "success", message: "The account has been removed." },
  locked: {
    kind: "success",
    message: "Nobody can log in to the account any more. It stays while an order is open or it is suspended.",
  },
  "last administrator": {
    kind: "error",
    message: "This is the only administrator’s account, so it cannot be removed.",
  },
};

export function invalidLink() {
  return json({ result: null }, { status: 410 });
}

async function leave(context: AppLoadContext, toast: Toast) {
  return redirectWithToast(context, "/", toast, await clearOneTimeToken(context, "verify"));
}
