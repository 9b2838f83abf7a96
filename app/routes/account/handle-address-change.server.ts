import type { AppLoadContext } from "@remix-run/cloudflare";
import { clearOneTimeToken } from "#app/auth/account-emails.server.ts";
import { knownDeviceCookie } from "#app/auth/known-device.server.ts";
import { sessionCookieOf } from "#app/auth/start-session.server.ts";
import { type AddressChange, changeEmailAddress } from "#app/features/accounts/address-change.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { logSecurityEvent } from "#app/server/logging/log.server.ts";

/**
 * Changes the address of an account by the link sent to the new one.
 *
 * @param sessionId of the account, if it is signed in
 * @returns why it is not changed; null if the link is invalid
 * @throws Response that redirects to what comes next
 */
export async function handleAddressChange(
  context: AppLoadContext,
  request: Request,
  { token, change, sessionId }: { token: string; change: AddressChange; sessionId: string | null },
): Promise<FormRefusal | null> {
  const { refusal, nextId } = await changeEmailAddress(context.db, token, change, sessionId);
  if (refusal) return refusals[refusal];
  logSecurityEvent("credentials changed", "address changed", context.reference);
  const headers = await clearOneTimeToken(context, "verify");
  if (!nextId) {
    const message = `Email address changed. Log in with ${change.newEmail}.`;
    throw await redirectWithToast(context, "/login", { kind: "success", message }, headers);
  }
  for (const [name, value] of await sessionCookieOf(context, request, nextId)) headers.append(name, value);
  headers.append("Set-Cookie", await knownDeviceCookie(context, request, change.newEmail));
  const toast = { kind: "success", message: "Email address changed" } as const;
  throw await redirectWithToast(context, "/manage/account", toast, headers);
}

const refusals: Record<"invalid" | "suspended" | "taken", FormRefusal | null> = {
  invalid: null,
  suspended: {
    status: 403,
    formErrors: ["You can’t change your email address while your account is suspended."],
  },
  taken: { status: 409, formErrors: ["Another account has this address by now. Yours keeps its own."] },
};
