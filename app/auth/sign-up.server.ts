import type { AppLoadContext } from "@remix-run/cloudflare";
import { signUpSchema } from "#app/features/accounts/account.schema.ts";
import { createAccount } from "#app/features/accounts/accounts.server.ts";
import { withHashingSlot } from "#app/features/accounts/password-hashing.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { clientAddress, overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { sendVerificationEmail } from "./account-emails.server.ts";
import { recordSignUp } from "./record-sign-up.server.ts";
import { startSessionAndRedirect } from "./start-session.server.ts";

/** Handles both sign-up forms. The role comes from the page, never from the form. */
export async function signUp(context: AppLoadContext, request: Request, userType: "Buyer" | "Seller") {
  const submission = parseForm(await readForm(request), signUpSchema);
  if (submission.status !== "success") return invalidForm(submission);
  // First, since the responses below reveal whether an address has an account.
  if (!(await withinLimit(context, "sign up", request))) {
    return invalidForm(submission, overLimit("sign up"));
  }
  const work = async () => {
    const account = await withHashingSlot(clientAddress(request), () =>
      createAccount(context.db, { ...submission.value, userType }),
    );
    if (!account) return invalidForm(submission, { formErrors: ["This email address is already in use."] });
    context.inBackground(() => sendVerificationEmail(context, request, account));
    context.inBackground(() => recordSignUp(context, request, account));
    return startSessionAndRedirect(context, request, account, { method: "sign-up" });
  };
  return unlessOutage(context, work, (refusal) => invalidForm(submission, refusal));
}
