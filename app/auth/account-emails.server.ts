import type { AppLoadContext } from "@remix-run/cloudflare";
import { recoveryEmail, verificationEmail } from "#app/features/accounts/account-mail.server.ts";
import { oneTimeTokenMinutes } from "#app/features/accounts/one-time-tokens.server.ts";
import { beginRecovery } from "#app/features/accounts/passwords.server.ts";
import { beginVerification } from "#app/features/accounts/verification.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { publicUrl } from "#app/server/http/public-url.server.ts";
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
