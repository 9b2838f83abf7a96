import { and, eq, exists, isNull, not, notExists, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { blocks, messages, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { type MessageRefusal, maxMessagesAnHour, refusalOrder } from "./message.rules.ts";

/** Conditions, each of which keeps a message from being sent. */
export type Obstacles = Partial<Record<MessageRefusal, SQL>>;

/** What keeps the viewer from sending a message to somebody. */
export function messageObstacles(db: Db, viewer: Viewer, otherId: SQLWrapper): Obstacles {
  const one = { one: sql`1` };
  const account = and(eq(users.id, otherId), isNull(users.removalId));
  const blocking = (blockerId: string | SQLWrapper, blockedId: string | SQLWrapper) =>
    exists(
      db
        .select(one)
        .from(blocks)
        .where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId))),
    );
  return {
    "blocked by you": blocking(viewer.id, otherId),
    unavailable: or(notExists(db.select(one).from(users).where(account)), blocking(otherId, viewer.id)),
    "too many messages": sql`coalesce((select ${messages.createdAt} from ${messages}
      where ${messages.senderId} = ${viewer.id} order by ${messages.id} desc limit 1 offset ${maxMessagesAnHour - 1})
      > ${Date.now() - 3_600_000}, 0)`,
  };
}

/** The condition that there are no such obstacles. */
export function withoutObstacles(obstacles: Obstacles): SQL | undefined {
  return not(or(...Object.values(obstacles)) ?? sql`0`);
}

/** Selects the first of the obstacles that there are, as a column. */
export function refusalColumn(obstacles: Obstacles) {
  const cases = refusalOrder.flatMap((refusal) => {
    const obstacle = obstacles[refusal];
    return obstacle ? [sql`when ${obstacle} then ${refusal}`] : [];
  });
  return sql<MessageRefusal | null>`case ${sql.join(cases, sql` `)} end`.as("refusal");
}
