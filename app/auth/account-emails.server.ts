import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import {
  type CredentialChange,
  credentialEmail,
  recoveryEmail,
  verificationEmail,
} from "#app/features/accounts/account-mail.server.ts";
import { findAccount } from "#app/features/accounts/accounts.server.ts";
import { oneTimeTokenMinutes } from "#app/features/accounts/one-time-tokens.server.ts";
import { beginRecovery } from "#app/features/accounts/passwords.server.ts";
import { beginVerification, isVerified } from "#app/features/accounts/verification.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { publicUrl } from "#app/server/http/public-url.server.ts";
import { logSecurityEvent } from "#app/server/logging/log.server.ts";
import { queueEmail } from "#app/server/mail/email-queue.server.ts";

/** Emails a password link if the account exists. Runs after the response, whose timing must not reveal it. */
export function sendRecoveryEmail(context: AppLoadContext, request: Request, address: string): void {
  context.inBackground(async () => {
    const started = await beginRecovery(context.db, address);
    if (started) await sendLink(context, request, started.email, started.token, links.recovery);
  });
}

/** Emails a password link to the signed-in user; "rate limited" if several were sent recently. */
export async function sendPasswordEmail(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<"sent" | "rate limited"> {
  const started = await beginRecovery(context.db, viewer.email);
  if (!started) return "rate limited";
  await sendLink(context, request, started.email, started.token, links.recovery);
  return "sent";
}

/** Emails a link that verifies the user's address. @returns why none was sent, if so */
export async function sendVerificationEmail(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<"sent" | "verified" | "rate limited"> {
  const started = await beginVerification(context.db, viewer);
  if (typeof started === "string") return started;
  await sendLink(context, request, viewer.email, started.token, links.verification);
  return "sent";
}

const links = {
  recovery: { path: "/reset", write: recoveryEmail, minutes: oneTimeTokenMinutes("recovery") },
  verification: { path: "/verify", write: verificationEmail, minutes: oneTimeTokenMinutes("verification") },
};

function sendLink(
  context: AppLoadContext,
  request: Request,
  to: string,
  token: string,
  { path, write, minutes }: (typeof links)[keyof typeof links],
): Promise<void> {
  const link = publicUrl(context, request, `${path}?${new URLSearchParams({ token })}`);
  const expiresAt = Date.now() + minutes * 60_000;
  return queueEmail(context, { id: `account ${crypto.randomUUID()}`, to, expiresAt, ...write(to, link) });
}

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

type OneTimeTokenPage = "reset" | "verify";

/**
 * Reads an emailed one-time token. A redirect moves it from the URL into a cookie, which keeps it out of the history
 * and the Referer header. @throws Response the redirect
 */
export async function readOneTimeToken(
  context: AppLoadContext,
  request: Request,
  page: OneTimeTokenPage,
): Promise<string | null> {
  const cookie = context.cookies[page];
  const tokenInUrl = new URL(request.url).searchParams.get("token");
  if (tokenInUrl !== null) {
    throw redirect(`/${page}`, {
      headers: { "Set-Cookie": await cookie.serialize(tokenInUrl.slice(0, 100)) },
    });
  }
  const stored: unknown = await cookie.parse(request.headers.get("Cookie"));
  return typeof stored === "string" ? stored : null;
}

/** Creates headers that clear the token's cookie. */
export async function clearOneTimeToken(context: AppLoadContext, page: OneTimeTokenPage): Promise<Headers> {
  return new Headers({ "Set-Cookie": await context.cookies[page].serialize("", { maxAge: 0 }) });
}
