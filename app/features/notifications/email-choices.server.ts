import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type NotificationKind, notificationKinds } from "#app/db/enums.ts";
import { emailOptOuts, users } from "#app/db/schema.ts";
import { readSignedToken, signedToken } from "#app/server/config/signed-links.server.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hasMySellings } from "../listings/sellings.server.ts";
import { notificationKindSchema } from "./notification.schema.ts";
import { notificationTexts } from "./notification-texts.ts";

/** The kinds of notifications that the viewer can have by email: those of sellers only if they sell. */
async function offeredKinds(db: Db, viewer: Viewer): Promise<NotificationKind[]> {
  const isSelling = await hasMySellings(db, viewer);
  return notificationKinds.filter((kind) => {
    const { permission, isForSellers } = notificationTexts[kind];
    return (!permission || may(viewer, permission)) && (!isForSellers || isSelling);
  });
}

/** The kinds of notifications that the viewer can have by email, and whether they want them. */
export async function listEmailKinds(
  db: Db,
  viewer: Viewer,
): Promise<{ kind: NotificationKind; isOn: boolean }[]> {
  const [offered, off] = await Promise.all([
    offeredKinds(db, viewer),
    db.select({ kind: emailOptOuts.kind }).from(emailOptOuts).where(eq(emailOptOuts.userId, viewer.id)),
  ]);
  return offered.map((kind) => ({ kind, isOn: !off.some((optOut) => optOut.kind === kind) }));
}

/**
 * Stores which kinds of notifications the viewer wants by email.
 *
 * @param shown those that could be chosen, which may be fewer than now: the others stay as they are; all if there are none
 * @param all the group that is wanted as a whole, whatever is chosen of it
 * @param none the group of which nothing is wanted
 */
export async function chooseEmailKinds(
  db: Db,
  viewer: Viewer,
  wanted: NotificationKind[],
  { shown = [], all, none }: { shown?: NotificationKind[]; all?: unknown; none?: unknown } = {},
): Promise<void> {
  const isWanted = (kind: NotificationKind) => {
    const { group } = notificationTexts[kind];
    return group === all || (group !== none && wanted.includes(kind));
  };
  const offered = await offeredKinds(db, viewer);
  const chosen = shown.length === 0 ? offered : offered.filter((kind) => shown.includes(kind));
  const off = chosen.filter((kind) => !isWanted(kind));
  await db.batch([
    db
      .delete(emailOptOuts)
      .where(and(eq(emailOptOuts.userId, viewer.id), inArray(emailOptOuts.kind, chosen))),
    // Not in one statement: D1 allows 100 parameters in each.
    ...off.map((kind) => db.insert(emailOptOuts).values({ userId: viewer.id, kind })),
  ]);
}

/** Ends the emails of one kind, also for an account that no longer exists: the responses are the same. */
export async function unsubscribe(db: Db, { userId, kind }: Unsubscription): Promise<void> {
  const [account] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (account) await db.insert(emailOptOuts).values({ userId, kind }).onConflictDoNothing();
}

/** Whom an unsubscribe link belongs to, and which emails it ends. */
interface Unsubscription {
  userId: string;
  kind: NotificationKind;
}

/** Signs the token of an unsubscribe link. @param secrets newest first */
export function unsubscribeToken(secrets: string[], { userId, kind }: Unsubscription): Promise<string> {
  return signedToken(secrets, "unsubscribe", userId, { kind });
}

/** Reads the token of an unsubscribe link; null if it is not ours. */
export async function readUnsubscribeToken(secrets: string[], token: string): Promise<Unsubscription | null> {
  const claims = await readSignedToken(secrets, "unsubscribe", token);
  const kind = notificationKindSchema.safeParse(claims?.kind);
  return claims && kind.success ? { userId: claims.sub, kind: kind.data } : null;
}
