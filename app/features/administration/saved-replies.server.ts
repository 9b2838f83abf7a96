import { and, eq, getTableColumns, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { removals, savedReplies } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity, addActivityOf } from "../audit/activity.server.ts";
import { addRemoval, isNotUndone, markUndone, type Removal } from "../audit/removals.server.ts";
import type { NewSavedReply } from "./saved-reply.schema.ts";

/** More are too many to choose from. */
const maxSavedReplies = 200;

const byTitle = sql`lower(${savedReplies.title})`;

/** Condition on `savedReplies`: not deleted. */
const isKept = isNull(savedReplies.removalId);

/** All saved replies. */
export function listSavedReplies(db: Db) {
  const { removalId: _, ...columns } = getTableColumns(savedReplies);
  return db.select(columns).from(savedReplies).where(isKept).orderBy(byTitle).limit(maxSavedReplies);
}

/** What can be inserted into a form. */
export function listReplyTitles(db: Db) {
  return db
    .select({ id: savedReplies.id, title: savedReplies.title })
    .from(savedReplies)
    .where(isKept)
    .orderBy(byTitle)
    .limit(maxSavedReplies);
}

export type ReplyTitle = Awaited<ReturnType<typeof listReplyTitles>>[number];

/** The text of a saved reply; null if it has been deleted. */
export async function findReplyText(db: Db, id: string): Promise<string | null> {
  const [found] = await db
    .select({ text: savedReplies.text })
    .from(savedReplies)
    .where(and(eq(savedReplies.id, id), isKept));
  return found?.text ?? null;
}

/** Why a reply is not saved. */
export const replyRefusals = {
  "same title": "There’s already a saved reply with this title.",
  "too many": `There are ${maxSavedReplies} saved replies. Delete one to add another.`,
  changed: "Someone has changed or deleted this reply since you opened it. Open it again.",
};

/**
 * Adds a reply, or changes one unless somebody else has changed it since.
 *
 * @param formKey names the form, which adds one reply
 */
export async function saveReply(
  db: Db,
  viewer: Viewer,
  { replyId, title, text, changedAt }: NewSavedReply,
  formKey: string,
): Promise<"done" | keyof typeof replyRefusals> {
  const now = new Date();
  const hasTitle = eq(byTitle, sql`lower(${title})`);
  if (replyId) {
    const reply = and(eq(savedReplies.id, replyId), isKept);
    const isShown = eq(savedReplies.changedAt, new Date(changedAt));
    const refusal = await batchUnless(
      db,
      {
        done: not(hasReply(db, and(reply, eq(savedReplies.title, title), eq(savedReplies.text, text)))),
        changed: hasReply(db, and(reply, isShown)),
        "same title": not(hasReply(db, and(hasTitle, isKept, ne(savedReplies.id, replyId)))),
      },
      [
        db.update(savedReplies).set({ title, text, changedAt: now }).where(reply),
        addActivity(db, viewer, "changed saved reply", replyId, title),
      ],
    );
    return refusal ?? "done";
  }
  const refusal = await batchUnless(
    db,
    {
      done: not(hasReply(db, eq(savedReplies.id, formKey))),
      "same title": not(hasReply(db, and(hasTitle, isKept))),
      "too many": sql`(select count(*) from ${savedReplies} where ${isKept}) < ${maxSavedReplies}`,
    },
    [
      db.insert(savedReplies).values({ id: formKey, title, text, changedAt: now }),
      addActivity(db, viewer, "added saved reply", formKey, title),
    ],
  );
  return refusal ?? "done";
}

/**
 * Deletes a reply, which can be undone for ten minutes. What was inserted before stays as it is.
 *
 * @returns the id of the removal; null if there is no such reply
 */
export async function deleteReply(db: Db, viewer: Viewer, id: string): Promise<string | null> {
  const removalId = timeOrderedId();
  const reply = and(eq(savedReplies.id, id), isKept);
  const refusal = await batchUnless(db, { "not found": hasReply(db, reply) }, [
    addRemoval(db, viewer, "reply", { id: removalId, targetId: id }),
    addActivityOf(db, viewer, "deleted saved reply", savedReplies, savedReplies.title, reply, removalId),
    db.update(savedReplies).set({ removalId }).where(reply),
  ]);
  return refusal ? null : removalId;
}

/** Brings a reply back that was deleted a moment ago, unless there is another one with its title, or too many. */
export function restoreReply(db: Db, viewer: Viewer, removal: Removal) {
  if (!may(viewer, "keep saved replies")) return "not allowed";
  const deleted = and(eq(savedReplies.id, removal.targetId), eq(savedReplies.removalId, removal.id));
  const other = alias(savedReplies, "other");
  const hasOther = hasRow(db, other, and(eq(sql`lower(${other.title})`, byTitle), isNull(other.removalId)));
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(removal.id)),
      "same title": hasReply(db, and(deleted, not(hasOther))),
      "too many": sql`(select count(*) from ${savedReplies} where ${isKept}) < ${maxSavedReplies}`,
    },
    [
      addActivityOf(db, viewer, "undid deletion", savedReplies, savedReplies.title, deleted),
      db.update(savedReplies).set({ removalId: null }).where(deleted),
      markUndone(db, removal),
    ],
  );
}

const hasReply = (db: Db, condition: SQL | undefined) => hasRow(db, savedReplies, condition);
