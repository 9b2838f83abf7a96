import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

export interface Profile {
  addressVerified: boolean;
  hasPassword: boolean;
}

export async function findProfile(db: Db, { id }: Viewer): Promise<Profile> {
  const [account] = await db
    .select({ emailVerifiedAt: users.emailVerifiedAt, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id));
  return {
    addressVerified: account?.emailVerifiedAt != null,
    hasPassword: account?.passwordHash != null,
  };
}

/** Changes the name of an account. Existing orders keep the old name. */
export async function changeName(db: Db, { id }: Viewer, name: string): Promise<void> {
  await db
    .update(users)
    .set({ name })
    .where(and(eq(users.id, id), isNull(users.removalId)));
}
