import { and, asc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { orderProblems, photos } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { problemPhotoId } from "../photos/photo.rules.ts";
import type { PhotoTarget, readPhotos } from "../photos/photo-changes.server.ts";
import { putPhoto } from "../photos/photo-objects.server.ts";
import { wasWithModerators } from "./order-problems.server.ts";

/** Stores the files of a problem's photos. @returns their rows, to be inserted with the problem */
export async function putProblemPhotos(
  read: Awaited<ReturnType<typeof readPhotos>>["read"],
  problemId: string,
): Promise<(typeof photos.$inferInsert)[]> {
  const rows: (typeof photos.$inferInsert)[] = [];
  for (const { storage, name: _, ...photo } of read) {
    const { width, height, digest } = photo;
    const id = problemPhotoId(randomToken());
    await putPhoto(storage, id, photo);
    rows.push({ id, problemId, position: rows.length + 1, width, height, digest });
  }
  return rows;
}

/** Condition on `orderProblems`: the viewer has opened this problem. */
function isOpener(viewer: Viewer, problemId: string) {
  const openerId = sql`case ${orderProblems.openedBy} when 'buyer' then ${orderProblems.buyerId} when 'seller' then ${orderProblems.sellerId} end`;
  return and(eq(orderProblems.id, problemId), eq(openerId, viewer.id));
}

export async function hasOpenedProblem(db: Db, viewer: Viewer, problemId: string): Promise<boolean> {
  return (await db.$count(orderProblems, isOpener(viewer, problemId))) > 0;
}

/** A problem that the viewer has opened, which gets photos until it ends. */
export function problemForPhotos(db: Db, viewer: Viewer, problemId: string): PhotoTarget {
  const isOpen = and(isOpener(viewer, problemId), isNull(orderProblems.endedAt));
  return { owner: "problem", id: problemId, isOpen: hasRow(db, orderProblems, isOpen) };
}

/** Selects the photos of problems in order. */
export function selectProblemPhotos(db: Db, ofProblems: SQL) {
  return db
    .select({ id: photos.id, problemId: photos.problemId, width: photos.width, height: photos.height })
    .from(photos)
    .where(ofProblems)
    .orderBy(asc(photos.problemId), asc(photos.position));
}

/** Whether a user may see a photo of a problem: its two sides, and moderators once they are asked. */
export async function maySeeProblemPhoto(db: Db, viewer: Viewer, photoId: string): Promise<boolean> {
  const isSide = or(eq(orderProblems.buyerId, viewer.id), eq(orderProblems.sellerId, viewer.id));
  const [photo] = await db
    .select({ id: photos.id })
    .from(photos)
    .innerJoin(orderProblems, eq(orderProblems.id, photos.problemId))
    .where(and(eq(photos.id, photoId), may(viewer, "moderate") ? or(isSide, wasWithModerators(db)) : isSide));
  return photo !== undefined;
}
