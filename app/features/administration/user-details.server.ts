import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { listSessions } from "../accounts/sessions.server.ts";
import { isSuspended } from "../accounts/viewer.ts";
import { shownRows } from "./newest-rows.server.ts";
import { findHistory } from "./user-history.server.ts";
import { findTrade } from "./user-trade.server.ts";

/** An account as its page shows it to administrators. */
export type UserDetails = NonNullable<Awaited<ReturnType<typeof findUserDetails>>>;

/** Finds an account with the newest of what belongs to it, in two round trips; null if it does not exist any more. */
export async function findUserDetails(db: Db, userId: string) {
  const [user] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      userType: users.userType,
      verified: users.verified,
      emailVerifiedAt: users.emailVerifiedAt,
      createdAt: users.createdAt,
      suspensionId: users.suspensionId,
      suspendedUntil: users.suspendedUntil,
      moderatorSince: users.moderatorSince,
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removalId)));
  if (!user) return null;
  const [trade, history, open] = await Promise.all([
    findTrade(db, userId),
    findHistory(db, user),
    listSessions(db, user, ""),
  ]);
  return {
    user,
    isSuspended: isSuspended(user),
    ...trade,
    ...history,
    sessions: {
      // Their ids stay secret, as do the hashes by which the owner ends one of them.
      rows: open.sessions
        .slice(0, shownRows)
        .map(({ device, since, lastSeen }) => ({ device, since, lastSeen })),
      count: open.count,
    },
  };
}
