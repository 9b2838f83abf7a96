import { and, eq, inArray, ne } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, sessions, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";

/** Ends all sessions of a user, except those of the administrator; false if there was none. */
export async function endSessions(db: Db, admin: Viewer, userId: string): Promise<boolean> {
  const own = and(eq(sessions.userId, userId), ne(sessions.userId, admin.id));
  const hasSession = inArray(users.id, db.select({ id: sessions.userId }).from(sessions).where(own));
  const [, ended] = await db.batch([
    db.insert(activity).select(
      db
        .select(activityValues(admin, "ended sessions", users.id, users.email))
        .from(users)
        .where(hasSession),
    ),
    db.delete(sessions).where(own).returning({ id: sessions.id }),
  ]);
  return ended.length > 0;
}
