import type { AppLoadContext } from "@remix-run/cloudflare";
import {
  type EmailContent,
  recoveryEmail,
  verificationEmail,
} from "#app/features/accounts/account-mail.server.tsx";
import { beginRecovery } from "#app/features/accounts/recovery.server.ts";
import { beginVerification } from "#app/features/accounts/verification.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { publicAddress } from "#app/server/http/public-address.server.ts";
import { sendMail } from "#app/server/mail/mail.server.ts";

/**
 * Sends the link to a new password, if an account has this address. All of it happens behind the answer, so
 * that the answer's time tells nothing.
 */
export function mailRecovery(context: AppLoadContext, request: Request, address: string): void {
  context.inBackground(async () => {
    const begun = await beginRecovery(context.db, address);
    if (begun) await send(context, request, begun.email, "/reset", begun.token, recoveryEmail);
  });
}

/**
 * Sends the link to a new password to a signed-in person, at the address of their account.
 *
 * @returns "rate limited" when several have been sent of late, of which the newest works
 */
export async function mailPasswordLink(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<"sent" | "rate limited"> {
  const begun = await beginRecovery(context.db, viewer.email);
  if (!begun) return "rate limited";
  await send(context, request, begun.email, "/reset", begun.token, recoveryEmail);
  return "sent";
}

/**
 * Sends the link that verifies an account's address.
 *
 * @returns why not, where there is no need to
 */
export async function mailVerification(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<"sent" | "verified" | "rate limited"> {
  const begun = await beginVerification(context.db, viewer);
  if (typeof begun === "string") return begun;
  await send(context, request, viewer.email, "/verify", begun.token, verificationEmail);
  return "sent";
}

function send(
  context: AppLoadContext,
  request: Request,
  to: string,
  path: string,
  token: string,
  write: (email: string, link: string) => EmailContent,
): Promise<void> {
  const link = publicAddress(context, request, `${path}?${new URLSearchParams({ token })}`);
  return sendMail(context, { to, ...write(to, link) });
}
