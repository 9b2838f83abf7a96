import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import type { CredentialChange, makeAccountEmailDue } from "#app/features/accounts/account-mail.server.ts";
import { isVerified } from "#app/features/accounts/email-verification.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { logSecurityEvent } from "#app/server/logging/log.server.ts";

/** Loaded on demand: few requests need it. */
async function makeDue(...email: Parameters<typeof makeAccountEmailDue>) {
  const { makeAccountEmailDue } = await import("#app/features/accounts/account-mail.server.ts");
  return makeAccountEmailDue(...email);
}

/** Makes an email with a password link due for the signed-in user; "rate limited" if several were sent recently. */
export async function sendPasswordEmail(
  { db }: AppLoadContext,
  viewer: Viewer,
): Promise<"sent" | "rate limited"> {
  return (await makeDue(db, "recovery", viewer.email)) ? "sent" : "rate limited";
}

/** Makes an email due whose link verifies the user's address. @returns why there is none, if so */
export async function sendVerificationEmail(
  { db }: AppLoadContext,
  viewer: Viewer,
): Promise<"sent" | "verified" | "rate limited"> {
  if (await isVerified(db, viewer)) return "verified";
  return (await makeDue(db, "verification", viewer.email)) ? "sent" : "rate limited";
}

/** Logs a change of credentials, and tells the owner by email if the address is confirmed. */
export function reportCredentialChange(
  { db, inBackground, reference }: AppLoadContext,
  email: string,
  change: CredentialChange,
): void {
  logSecurityEvent("credentials changed", change, reference);
  inBackground(() => makeDue(db, change, email));
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
