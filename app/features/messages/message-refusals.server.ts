import { and, eq, gt, gte, isNull, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { blocks, type conversationParticipants, messages, users } from "#app/db/schema.ts";
import type { DailyLimits } from "#app/server/config/daily-limits.ts";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { type MessageRefusal, maxMessagesAnHour, refusalOrder } from "./message.rules.ts";

export type MessageLimits = Pick<DailyLimits, "MAX_MESSAGES_A_DAY" | "MAX_NEW_CONVERSATIONS_A_DAY">;

/** For each reason to refuse a message, the condition under which it applies. */
export type RefusalConditions = Partial<Record<MessageRefusal, SQL>>;

/** Condition of any statement: one has blocked the other. */
export function hasBlocked(db: Db, blockerId: string | SQLWrapper, blockedId: string | SQLWrapper) {
  return hasRow(db, blocks, and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)));
}

/** Condition of any statement: one of two has blocked the other. */
export function isBlockBetween(db: Db, one: string | SQLWrapper, other: string | SQLWrapper) {
  return or(hasBlocked(db, one, other), hasBlocked(db, other, one)) ?? sql`0`;
}

/** When the viewer may not send a message to somebody. */
export function messageRefusals(db: Db, viewer: Viewer, otherId: SQLWrapper): RefusalConditions {
  const account = and(eq(users.id, otherId), isNull(users.removalId));
  return {
    "blocked by you": hasBlocked(db, viewer.id, otherId),
    unavailable: or(not(hasRow(db, users, account)), hasBlocked(db, otherId, viewer.id)),
    "too many messages": sql`coalesce((select ${messages.createdAt} from ${messages}
      where ${messages.senderId} = ${viewer.id} order by ${messages.id} desc limit 1 offset ${maxMessagesAnHour - 1})
      > ${Date.now() - 3_600_000}, 0)`,
  };
}

/** The same for a conversation of the viewer, as conditions on `conversationParticipants`. */
export function conversationRefusals(
  db: Db,
  viewer: Viewer,
  { otherId, conversationId }: Pick<typeof conversationParticipants, "otherId" | "conversationId">,
  { MAX_MESSAGES_A_DAY }: MessageLimits,
): RefusalConditions {
  const isRecent = and(
    eq(messages.conversationId, conversationId),
    eq(messages.senderId, viewer.id),
    gt(messages.createdAt, new Date(Date.now() - dayMs)),
  );
  return {
    ...messageRefusals(db, viewer, otherId),
    "too many in conversation": gte(db.$count(messages, isRecent), MAX_MESSAGES_A_DAY),
  };
}

/** Selects the first reason that applies, as a column. */
export function refusalColumn(refusals: RefusalConditions) {
  const cases = refusalOrder.flatMap((refusal) => {
    const condition = refusals[refusal];
    return condition ? [sql`when ${condition} then ${refusal}`] : [];
  });
  return sql<MessageRefusal | null>`case ${sql.join(cases, sql` `)} end`.as("refusal");
}
