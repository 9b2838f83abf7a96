import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emailOptOuts, users } from "#app/db/schema.ts";
import { type NotificationKind, notificationKinds } from "#app/db/values.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notificationTexts } from "./notification-texts.ts";
import type { Unsubscription } from "./unsubscribe-token.server.ts";

/** The kinds of notifications that the viewer can have by email. */
function offeredKinds(viewer: Viewer): NotificationKind[] {
  return notificationKinds.filter(
    (kind) => notificationTexts[kind].group !== "Moderation" || may(viewer, "moderate"),
  );
}

/** The kinds of notifications that the viewer wants by email too. */
export async function listEmailKinds(db: Db, viewer: Viewer): Promise<NotificationKind[]> {
  const off = await db
    .select({ kind: emailOptOuts.kind })
    .from(emailOptOuts)
    .where(eq(emailOptOuts.userId, viewer.id));
  return offeredKinds(viewer).filter((kind) => !off.some((optOut) => optOut.kind === kind));
}

/** Stores which kinds of notifications the viewer wants by email. */
export async function chooseEmailKinds(db: Db, viewer: Viewer, wanted: NotificationKind[]): Promise<void> {
  const off = offeredKinds(viewer).filter((kind) => !wanted.includes(kind));
  const removal = db.delete(emailOptOuts).where(eq(emailOptOuts.userId, viewer.id));
  if (off.length === 0) return void (await removal);
  await db.batch([removal, db.insert(emailOptOuts).values(off.map((kind) => ({ userId: viewer.id, kind })))]);
}

/** Ends the emails of one kind, also for an account that no longer exists: the responses are the same. */
export async function unsubscribe(db: Db, { userId, kind }: Unsubscription): Promise<void> {
  const [account] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (account) await db.insert(emailOptOuts).values({ userId, kind }).onConflictDoNothing();
}
