import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { decisions } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { canBeAnswered } from "./decision.rules.ts";

export type OwnDecision = NonNullable<Awaited<ReturnType<typeof findOwnDecision>>>;

/** Finds a decision about the viewer's content or account, with the reply to their answer; null for others'. */
export async function findOwnDecision(db: Db, viewer: Viewer, id: string) {
  const reply = alias(decisions, "reply");
  const [[decision], [replied]] = await Promise.all([
    db
      .select({
        id: decisions.id,
        kind: decisions.kind,
        targetKind: decisions.targetKind,
        target: decisions.target,
        reason: decisions.reason,
        until: decisions.until,
        createdAt: decisions.createdAt,
        endedAt: decisions.endedAt,
        answer: decisions.answer,
        answeredAt: decisions.answeredAt,
      })
      .from(decisions)
      .where(and(isOwn(viewer, id), sql`${decisions.kind} <> 'dismiss'`)),
    db
      .select({ kind: reply.kind, reason: reply.reason, createdAt: reply.createdAt })
      .from(reply)
      .where(
        and(
          eq(reply.previousId, id),
          eq(reply.ownerId, viewer.id),
          inArray(reply.kind, ["uphold", "reverse"]),
          isNull(reply.endedAt),
        ),
      )
      .orderBy(desc(reply.id))
      .limit(1),
  ]);
  if (!decision) return null;
  const canAnswer =
    canBeAnswered.has(decision.kind) && decision.answeredAt === null && decision.endedAt === null;
  return { ...decision, reply: replied ?? null, canAnswer };
}

/** Stores the owner's answer, once; false if there is nothing to answer. The same answer sent again is stored once. */
export async function answerDecision(
  db: Db,
  viewer: Viewer,
  id: string,
  answer: string,
  now = new Date(),
): Promise<boolean> {
  const [answered, [own]] = await db.batch([
    db
      .update(decisions)
      .set({ answer, answeredAt: now })
      .where(
        and(
          isOwn(viewer, id),
          inArray(decisions.kind, [...canBeAnswered]),
          isNull(decisions.answeredAt),
          isNull(decisions.endedAt),
        ),
      )
      .returning({ id: decisions.id }),
    db.select({ answer: decisions.answer }).from(decisions).where(isOwn(viewer, id)),
  ]);
  return answered.length > 0 || own?.answer === answer;
}

function isOwn(viewer: Viewer, id: string) {
  return and(eq(decisions.id, id), eq(decisions.ownerId, viewer.id));
}
