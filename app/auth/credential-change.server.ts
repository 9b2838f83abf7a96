import type { AppLoadContext } from "@remix-run/cloudflare";
import { credentialEmail } from "#app/features/accounts/account-mail.server.ts";
import { findAccount } from "#app/features/accounts/accounts.server.ts";
import type { CredentialChange } from "#app/features/accounts/credential-change.ts";
import { isVerified } from "#app/features/accounts/verification.server.ts";
import { publicUrl } from "#app/server/http/public-url.server.ts";
import { logSecurityEvent } from "#app/server/logging/log.server.ts";
import { queueEmail } from "#app/server/mail/email-queue.server.ts";

/** Logs a change of credentials, and tells the owner by email after the response, if the address is confirmed. */
export function reportCredentialChange(
  context: AppLoadContext,
  request: Request,
  email: string,
  change: CredentialChange,
): void {
  logSecurityEvent("credentials changed", change, context.reference);
  context.inBackground(async () => {
    const account = await findAccount(context.db, email);
    if (!account || !(await isVerified(context.db, account))) return;
    const link = publicUrl(context, request, "/manage/account");
    const id = `account ${crypto.randomUUID()}`;
    await queueEmail(context, { id, to: account.email, ...credentialEmail(change, account.email, link) });
  });
}
