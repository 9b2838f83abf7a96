import type { AppLoadContext } from "@remix-run/cloudflare";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { inviteReviewers } from "#app/features/reviews/review-invitations.server.ts";
import { reviewInvitationEmail } from "#app/features/reviews/review-mail.server.ts";
import { alertSearchers } from "#app/features/saved-searches/search-alerts.server.ts";
import { sendMail } from "#app/server/mail/mail.server.ts";

/** Deletes photos that are no longer used, matches listings with saved searches, and invites buyers to review. */
export async function runScheduledJobs(
  context: Pick<AppLoadContext, "db" | "photoStorage" | "environment" | "reference">,
): Promise<void> {
  const { db, photoStorage, environment } = context;
  if (photoStorage) await cleanUpPhotos(db, photoStorage);
  await alertSearchers(db);
  const { MAIL, MAIL_FROM, PUBLIC_ORIGIN } = environment;
  if (!MAIL || !MAIL_FROM || !PUBLIC_ORIGIN) return;
  await inviteReviewers(db, (email, orderId) => {
    const link = new URL(`/manage/orders/${orderId}/reviews`, PUBLIC_ORIGIN).href;
    return sendMail(context, { to: email, ...reviewInvitationEmail(email, link) });
  });
}
