import { confirmPassword } from "#app/auth/passwords.server.ts";
import { logoutHeaders } from "#app/auth/start-session.server.ts";
import { closingByAddressSchema, closingSchema } from "#app/features/accounts/account.schema.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import {
  type ClosingOutcome,
  type ClosingProof,
  closeAccount,
  isClosed,
} from "#app/features/profile/account-closing.server.ts";
import { whySuspendedStay } from "#app/features/profile/closing-section.tsx";
import { findProfile } from "#app/features/profile/profile.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, invalidForm, parseForm } from "#app/server/forms/forms.server.ts";
import type { AccountFormArgs } from "./my-account.server.ts";

/** Deletes the account, once the user has confirmed it with the password or a recent login. */
export async function close(posted: AccountFormArgs) {
  const { context, viewer } = posted;
  const { hasPassword } = await findProfile(context.db, viewer);
  const { submission, proof, refusal } = await (hasPassword ? confirmByPassword : confirmByRecentLogin)(
    posted,
  );
  const outcome = proof && (await closeAccount(context.db, viewer, proof));
  if (outcome !== "closed" && !(await isClosed(context.db, viewer))) {
    if (outcome === "suspended") {
      const message = whySuspendedStay(viewer.suspendedUntil?.toISOString() ?? null);
      return invalidForm(submission, { status: 409, formErrors: [message] });
    }
    return invalidForm(submission, outcome ? refusals[outcome] : refusal);
  }
  const toast = { kind: "success", message: "Account deleted" } as const;
  return redirectWithToast(context, "/", toast, await logoutHeaders(context));
}

interface ClosingForm {
  submission: Parameters<typeof invalidForm>[0];
  proof?: ClosingProof;
  refusal?: FormRefusal;
}

async function confirmByPassword({ context, request, viewer, form }: AccountFormArgs): Promise<ClosingForm> {
  const submission = parseForm(form, closingSchema);
  if (submission.status !== "success") return { submission };
  const credential = { field: "password", password: submission.value.password };
  const { passwordHash, refusal } = await confirmPassword(context, request, viewer, credential);
  return refusal ? { submission, refusal } : { submission, proof: { passwordHash } };
}

async function confirmByRecentLogin({ viewer, sessionId, form }: AccountFormArgs): Promise<ClosingForm> {
  const submission = parseForm(form, closingByAddressSchema);
  if (submission.status !== "success") return { submission };
  if (isSameEmail(submission.value.email, viewer.email)) return { submission, proof: { sessionId } };
  return { submission, refusal: { fieldErrors: { email: ["This is not the address of your account."] } } };
}

const refusals: Record<Exclude<ClosingOutcome, "closed" | "suspended">, FormRefusal> = {
  "phone reserved": {
    status: 409,
    formErrors: ["You cannot delete your account while one of your phones is reserved."],
  },
  "order open": {
    status: 409,
    formErrors: [
      "You cannot delete your account while you have an open order. Cancel it in My Orders first.",
    ],
  },
  "last administrator": {
    status: 409,
    formErrors: ["You are the last administrator, so you cannot delete your account."],
  },
  "not proven": {
    status: 409,
    formErrors: ["Log in again, then delete your account within 10 minutes."],
  },
};
