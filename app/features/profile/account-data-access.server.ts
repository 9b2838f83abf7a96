import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { passkeys, personalAccessTokens, sessions } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

export function passkeysOf(db: Db, { id }: Viewer) {
  return db
    .select({ name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, id))
    .orderBy(desc(passkeys.createdAt))
    .limit(1000);
}

export function tokensOf(db: Db, { id }: Viewer) {
  const { name, scope, createdAt, expiresAt, lastUsedAt, userId } = personalAccessTokens;
  return db
    .select({ name, scope, createdAt, expiresAt, lastUsedAt })
    .from(personalAccessTokens)
    .where(eq(userId, id))
    .orderBy(desc(createdAt));
}

export function sessionsOf(db: Db, { id }: Viewer) {
  return db
    .select({
      device: sessions.device,
      createdAt: sessions.createdAt,
      lastSeenAt: sql`max(${sessions.lastSeenAt}, ${sessions.createdAt})`.mapWith(sessions.lastSeenAt),
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(eq(sessions.userId, id))
    .orderBy(desc(sessions.createdAt))
    .limit(1000);
}
