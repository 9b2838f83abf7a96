import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import {
  contentReports,
  conversationParticipants,
  messages,
  phones,
  reviews,
  users,
} from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { hasSellerPage } from "../../catalog/seller.server.ts";
import { deviceNameColumn } from "../../listings/phones.server.ts";
import { messagePath } from "../../messages/message.rules.ts";
import type { NewContentReport } from "./content-report.schema.ts";

/** What a viewer is about to report. */
export interface ReportableTarget {
  ownerId: string;
  name: string;
  /** The page that shows it to the viewer. */
  path: string;
  isReported: boolean;
}

/** Finds what a viewer can see and report; null for anything else. */
export async function findReportable(
  db: Db,
  viewer: Viewer,
  kind: TargetKind,
  id: string,
  now = new Date(),
): Promise<ReportableTarget | null> {
  const isReported = hasRow(db, contentReports, isOpenReport(viewer, kind, id))
    .mapWith(Boolean)
    .as("is_reported");
  if (kind === "listing") {
    const [listing] = await db
      .select({ ownerId: phones.sellerId, name: sql<string>`${deviceNameColumn}`.as("name"), isReported })
      .from(phones)
      .where(and(eq(phones.id, id), isNull(phones.removalId)));
    return listing ? { ...listing, path: `/phones/${id}` } : null;
  }
  if (kind === "seller") {
    const [seller] = await db
      .select({ ownerId: users.id, name: users.name, isReported })
      .from(users)
      .where(hasSellerPage(db, id));
    return seller ? { ...seller, path: `/sellers/${id}` } : null;
  }
  if (kind === "message") {
    const [message] = await db
      .select({
        ownerId: messages.senderId,
        name: sql<string>`substr(${messages.text}, 1, 100)`.as("name"),
        isReported,
        conversationId: messages.conversationId,
      })
      .from(messages)
      // Only the two sides of the conversation see it.
      .innerJoin(
        conversationParticipants,
        and(
          eq(conversationParticipants.conversationId, messages.conversationId),
          eq(conversationParticipants.userId, viewer.id),
        ),
      )
      .where(and(eq(messages.id, id), isNull(messages.hiddenById)));
    if (!message) return null;
    const { conversationId, ...target } = message;
    return { ...target, path: messagePath(conversationId, id) };
  }
  const [review] = await db
    .select({
      ownerId: reviews.authorId,
      name: sql<string>`substr(${reviews.text}, 1, 100)`.as("name"),
      isReported,
      orderId: reviews.orderId,
      subjectId: reviews.subjectId,
    })
    .from(reviews)
    .where(
      and(
        eq(reviews.id, id),
        isNull(reviews.hiddenById),
        lte(reviews.publishedAt, now),
        // Only the buyer sees the seller's review.
        or(eq(reviews.authorRole, "buyer"), eq(reviews.subjectId, viewer.id)),
      ),
    );
  if (!review) return null;
  const { orderId, subjectId, ...target } = review;
  const path =
    subjectId === viewer.id ? `/manage/orders/${orderId}/reviews` : `/sellers/${subjectId}/reviews`;
  return { ...target, path };
}

/** "not found" also for what the viewer cannot see. */
export type ReportOutcome =
  | { id: string; refusal?: undefined; path: string }
  | { refusal: "already reported" | "own" | "not found" };

/** Stores a report, one open report for each reporter and target. The same report sent again is stored once. */
export async function reportContent(
  db: Db,
  viewer: Viewer,
  kind: TargetKind,
  targetId: string,
  { reason, details }: NewContentReport,
): Promise<ReportOutcome> {
  const target = await findReportable(db, viewer, kind, targetId);
  if (!target) return { refusal: "not found" };
  if (target.ownerId === viewer.id) return { refusal: "own" };
  const { ownerId, path } = target;
  const id = timeOrderedId();
  const [stored, [open]] = await db.batch([
    db
      .insert(contentReports)
      .values({ id, kind, targetId, ownerId, reporterId: viewer.id, reason, details })
      .onConflictDoNothing()
      .returning({ id: contentReports.id }),
    db
      .select()
      .from(contentReports)
      .where(isOpenReport(viewer, kind, targetId)),
  ]);
  if (stored.length > 0) return { id, path };
  const isSame = open?.reason === reason && open.details === details;
  return open && isSame ? { id: open.id, path } : { refusal: "already reported" };
}

function isOpenReport(viewer: Viewer, kind: TargetKind, targetId: string) {
  return and(
    eq(contentReports.kind, kind),
    eq(contentReports.targetId, targetId),
    eq(contentReports.reporterId, viewer.id),
    isNull(contentReports.decisionId),
  );
}
