import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, not, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { announcements, notifications, removals, users } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity, addActivityOf } from "../audit/activity.server.ts";
import { notificationValues } from "../audit/notify.server.ts";
import {
  addRemoval,
  isNotUndone,
  markUndone,
  type Removal,
  type RemovalOutcome,
} from "../audit/removals.server.ts";
import type { NewAnnouncement } from "./announcement.schema.ts";
import { daysSinceEpoch, hasMySellings } from "./shown-announcements.server.ts";

/** Announcements on their page. */
const shownAnnouncements = 50;

/** Users who are notified of an announcement by one run of the job; the next run continues. */
const maxNotified = 500;

const page = "/manage/notifications";

/**
 * Writes to a user in the market's name: a notification, whose email follows.
 *
 * @param formKey names the form, which writes once
 * @returns false if there is no such user
 */
export async function writeToUser(
  db: Db,
  admin: Viewer,
  userId: string,
  text: string,
  formKey: string,
): Promise<boolean> {
  const user = and(eq(users.id, userId), isNull(users.removalId));
  const event = `written ${formKey}`;
  const written = and(eq(notifications.userId, userId), eq(notifications.event, event));
  const values = notificationValues("from us", { userId: users.id, subject: text, path: page, event });
  const refusal = await batchUnless(
    db,
    { "not found": hasRow(db, users, user), "written before": not(hasRow(db, notifications, written)) },
    [
      addActivityOf(db, admin, "wrote to user", users, users.email, user),
      db.insert(notifications).select(db.select(values).from(users).where(user)),
    ],
  );
  return refusal !== "not found";
}

/** Those of some users who can be written to. */
export function findRecipients(db: Db, userIds: string[]) {
  return db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(inArray(users.id, userIds), isNull(users.removalId)))
    .orderBy(users.name, users.id);
}

/** Adds an announcement. @param id also names the form, which adds one */
export async function addAnnouncement(
  db: Db,
  admin: Viewer,
  { audience, text, from, to, notifies }: NewAnnouncement,
  id: string,
): Promise<void> {
  const isNew = not(hasRow(db, announcements, eq(announcements.id, id)));
  await batchUnless(db, { "announced before": isNew }, [
    addActivity(db, admin, "announced", id, text),
    db.insert(announcements).values({
      id,
      audience,
      text,
      firstDay: daysSinceEpoch(new Date(from)),
      lastDay: daysSinceEpoch(new Date(to)),
      notifiedThrough: notifies ? "" : null,
    }),
  ]);
}

/**
 * Ends an announcement before its last day, which can be undone for ten minutes. "not found": there is none that goes on.
 */
export async function endAnnouncement(
  db: Db,
  admin: Viewer,
  id: string,
): Promise<RemovalOutcome<"not found">> {
  const removalId = timeOrderedId();
  const goesOn = and(
    eq(announcements.id, id),
    gte(announcements.lastDay, daysSinceEpoch(new Date())),
    isNull(announcements.removalId),
  );
  const refusal = await batchUnless(db, { "not found": hasRow(db, announcements, goesOn) }, [
    addRemoval(db, admin, "announcement", { id: removalId, targetId: id }),
    addActivityOf(db, admin, "ended announcement", announcements, announcements.text, goesOn, removalId),
    db.update(announcements).set({ removalId }).where(goesOn),
  ]);
  return refusal ? { refusal } : { removalId };
}

/** Shows an announcement again that was ended a moment ago. Who was not notified before is, too. */
export function resumeAnnouncement(db: Db, admin: Viewer, removal: Removal) {
  if (!may(admin, "write to users")) return "not allowed";
  const ended = and(eq(announcements.id, removal.targetId), eq(announcements.removalId, removal.id));
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(removal.id)),
      "not found": hasRow(db, announcements, ended),
    },
    [
      addActivityOf(db, admin, "undid deletion", announcements, announcements.text, ended),
      db.update(announcements).set({ removalId: null }).where(ended),
      markUndone(db, removal),
    ],
  );
}

/** The newest announcements, for those who write them. */
export async function listAnnouncements(db: Db) {
  const today = daysSinceEpoch(new Date());
  const rows = await db
    .select()
    .from(announcements)
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(shownAnnouncements);
  return rows.map(({ notifiedThrough, removalId, createdAt: _, ...row }) => {
    const isEnded = removalId !== null || row.lastDay < today;
    return {
      ...row,
      state: isEnded ? "ended" : row.firstDay > today ? "planned" : "on show",
      /** Before its last day. */
      wasEnded: removalId !== null,
      isNotifying: notifiedThrough !== null && !isEnded,
    };
  });
}

export type ListedAnnouncement = Awaited<ReturnType<typeof listAnnouncements>>[number];

/** Notifies the users of announcements that have begun, a portion of them. */
export async function notifyOfAnnouncements(db: Db, now = new Date(), limit = maxNotified): Promise<void> {
  const [due] = await db
    .select()
    .from(announcements)
    .where(
      and(
        isNotNull(announcements.notifiedThrough),
        lte(announcements.firstDay, daysSinceEpoch(now)),
        gte(announcements.lastDay, daysSinceEpoch(now)),
        isNull(announcements.removalId),
      ),
    )
    .orderBy(asc(announcements.createdAt))
    .limit(1);
  if (!due) return;
  const readers = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        gt(users.id, due.notifiedThrough ?? ""),
        isNull(users.removalId),
        due.audience === "sellers" ? hasMySellings(db) : undefined,
      ),
    )
    .orderBy(users.id)
    .limit(limit);
  const rows = JSON.stringify(readers.map(({ id }) => [timeOrderedId({ msecs: now.getTime() }), id]));
  const values = notificationValues("from us", {
    id: sql`reader.value ->> 0`,
    userId: users.id,
    subject: due.text,
    path: page,
    event: `announcement ${due.id}`,
  });
  await db.batch([
    db
      .insert(notifications)
      .select(
        db
          .select(values)
          .from(sql`json_each(${rows}) as reader`)
          .innerJoin(users, sql`${users.id} = reader.value ->> 1`)
          .where(isNull(users.removalId)),
      )
      .onConflictDoNothing(),
    db
      .update(announcements)
      .set({ notifiedThrough: readers.length < limit ? null : (readers.at(-1)?.id ?? null) })
      .where(and(eq(announcements.id, due.id), isNotNull(announcements.notifiedThrough))),
  ]);
}
