import { isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Places } from "#app/db/kept-statements.ts";
import { users } from "#app/db/schema.ts";
import { isOutage } from "#app/db/unreachable.ts";
import { findViewer, momentOf, noteUse, ownerOf, type SessionAt, selectViewer } from "./sessions.server.ts";
import type { Viewer } from "./viewer.ts";

/** How statements name a claimant: by an account that has been looked up, or by a session, be it open or not. */
export type ClaimantNames = SessionAt & { accountId: string | null };

/**
 * Somebody who says that they are signed in. Whether it is true the database tells in the round trip of what they
 * do, so what they write must ask for it too, by `isClaimant`: it is sent for nobody as well.
 */
export interface Claimant {
  /** What `isClaimant` looks for. */
  readonly names: ClaimantNames;
  /** Runs statements in one transaction, in which they are looked up too. */
  batch: Db["batch"];
  /** Who they are; null for nobody. */
  viewer(): Promise<Viewer | null>;
}

/** Holds for a claimant's account, and for none when they are nobody: a condition on `users`. */
export function isClaimant(db: Db, own: Places<ClaimantNames>): SQL {
  return sql`(${users.id} = coalesce(${own.accountId}, ${ownerOf(db, own)}) and ${isNull(users.removalId)})`;
}

/** Whoever holds a session, be it open or not; looked up once. */
export function claimantBy(db: Db, sessionId: string): Claimant {
  // One moment for all, or a session could end between two statements of a batch.
  const now = new Date();
  const session = { sessionId, ...momentOf(now) };
  let found: Promise<Viewer | null> | undefined;
  return {
    names: { accountId: null, ...session },
    async batch(statements) {
      const [[account], ...answers] = await db.batch([...selectViewer(db, session), ...statements]);
      found = Promise.resolve(account?.viewer ?? null);
      // What was done is done, and the next request may note it.
      if (account) await noteUse(db, sessionId, account.lastUsed, now).catch(unlessAway);
      return answers as never;
    },
    viewer() {
      found ??= findViewer(db, sessionId);
      return found;
    },
  };
}

/** Somebody who has been looked up already, as a claimant whose account may have ended since. */
export function claimantFor(db: Db, viewer: Viewer): Claimant {
  return {
    names: { accountId: viewer.id, sessionId: "", ...momentOf(new Date()) },
    batch: (statements) => db.batch(statements),
    viewer: async () => viewer,
  };
}

function unlessAway(fault: unknown): void {
  if (!isOutage(fault)) throw fault;
}
