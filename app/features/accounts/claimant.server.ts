import { eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { isOutage } from "#app/db/unreachable.ts";
import { findViewer, isViewerOf, noteUse, selectViewer } from "./sessions.server.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Somebody who says that they are signed in. Whether it is true the database tells in the round trip of what they
 * do, so what they write must ask for it too, by `isThem`: it is sent for nobody as well.
 */
export interface Claimant {
  /** Holds for their account, and for none when they are nobody: a condition on `users`. */
  readonly isThem: SQL;
  /** Runs statements in one transaction, in which they are looked up too. */
  batch: Db["batch"];
  /** Who they are; null for nobody. */
  viewer(): Promise<Viewer | null>;
}

/** Whoever holds a session, be it open or not; looked up once. */
export function claimantBy(db: Db, sessionId: string): Claimant {
  // One moment for all, or a session could end between two statements of a batch.
  const now = new Date();
  let found: Promise<Viewer | null> | undefined;
  return {
    // Put together where it is asked for: most requests ask for the viewer alone.
    get isThem() {
      return isViewerOf(db, sessionId, now);
    },
    async batch(statements) {
      const [[account], ...answers] = await db.batch([selectViewer(db, sessionId, now), ...statements]);
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
    isThem: sql`(${eq(users.id, viewer.id)} and ${isNull(users.removalId)})`,
    batch: (statements) => db.batch(statements),
    viewer: async () => viewer,
  };
}

function unlessAway(fault: unknown): void {
  if (!isOutage(fault)) throw fault;
}
