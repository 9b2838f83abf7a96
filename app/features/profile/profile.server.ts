import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** What an account's owner is shown of it beside name and address. */
export interface Profile {
  /** Whether its owner has shown that mail to the address reaches them. */
  addressVerified: boolean;
  hasPassword: boolean;
}

/** The profile of a signed-in person. */
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

/** Gives an account another name. Orders keep the one they were made with; listings show the new one. */
export async function changeName(db: Db, { id }: Viewer, name: string): Promise<void> {
  await db
    .update(users)
    .set({ name })
    .where(and(eq(users.id, id), isNull(users.removalId)));
}
