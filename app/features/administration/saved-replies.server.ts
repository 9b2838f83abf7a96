import { and, eq, ne, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { savedReplies } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity, addActivityOf } from "../audit/activity.server.ts";
import type { NewSavedReply } from "./saved-reply.schema.ts";

/** More are too many to choose from. */
const maxSavedReplies = 200;

const byTitle = sql`lower(${savedReplies.title})`;

/** All saved replies. */
export function listSavedReplies(db: Db) {
  return db.select().from(savedReplies).orderBy(byTitle).limit(maxSavedReplies);
}

/** What can be inserted into a form. */
export function listReplyTitles(db: Db) {
  return db
    .select({ id: savedReplies.id, title: savedReplies.title })
    .from(savedReplies)
    .orderBy(byTitle)
    .limit(maxSavedReplies);
}

export type ReplyTitle = Awaited<ReturnType<typeof listReplyTitles>>[number];

/** The text of a saved reply; null if it has been deleted. */
export async function findReplyText(db: Db, id: string): Promise<string | null> {
  const [found] = await db
    .select({ text: savedReplies.text })
    .from(savedReplies)
    .where(eq(savedReplies.id, id));
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
    const reply = eq(savedReplies.id, replyId);
    const isShown = eq(savedReplies.changedAt, new Date(changedAt));
    const refusal = await batchUnless(
      db,
      {
        done: not(hasReply(db, and(reply, eq(savedReplies.title, title), eq(savedReplies.text, text)))),
        changed: hasReply(db, and(reply, isShown)),
        "same title": not(hasReply(db, and(hasTitle, ne(savedReplies.id, replyId)))),
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
      "same title": not(hasReply(db, hasTitle)),
      "too many": sql`(select count(*) from ${savedReplies}) < ${maxSavedReplies}`,
    },
    [
      db.insert(savedReplies).values({ id: formKey, title, text, changedAt: now }),
      addActivity(db, viewer, "added saved reply", formKey, title),
    ],
  );
  return refusal ?? "done";
}

/** Deletes a reply; false if there is none. What was inserted before stays as it is. */
export async function deleteReply(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const reply = eq(savedReplies.id, id);
  const refusal = await batchUnless(db, { "not found": hasReply(db, reply) }, [
    addActivityOf(db, viewer, "deleted saved reply", savedReplies, savedReplies.title, reply),
    db.delete(savedReplies).where(reply),
  ]);
  return refusal === null;
}

const hasReply = (db: Db, condition: SQL | undefined) => hasRow(db, savedReplies, condition);
