import { lt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { signUpAddresses } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";

const retentionDays = 7;

/**
 * Records from which network address an account was made, for a few days, so that moderators see many from one.
 *
 * @param addressHash a keyed hash; the address itself is not stored
 */
export async function recordSignUpAddress(
  db: Db,
  userId: string,
  addressHash: string,
  now = new Date(),
): Promise<void> {
  const expired = new Date(now.getTime() - retentionDays * dayMs);
  await db.batch([
    db.delete(signUpAddresses).where(lt(signUpAddresses.createdAt, expired)),
    db.insert(signUpAddresses).values({ userId, addressHash, createdAt: now }).onConflictDoNothing(),
  ]);
}
