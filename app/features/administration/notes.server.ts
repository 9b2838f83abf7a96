import { and, desc, eq, isNull, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { NoteSubjectKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { notes, orders, phones, tickets, users } from "#app/db/schema.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";

/** What a note is about. */
export interface NoteSubject {
  kind: NoteSubjectKind;
  id: string;
}

/** Where the subjects are, and how the activity log names them. */
const subjects: Record<
  NoteSubjectKind,
  { table: SQLiteTable & { id: SQLiteColumn }; name: SQLWrapper; isThere?: SQL }
> = {
  user: { table: users, name: users.email, isThere: isNull(users.removalId) },
  listing: { table: phones, name: deviceNameColumn },
  order: { table: orders, name: orders.productName },
  report: { table: tickets, name: tickets.email, isThere: isNull(tickets.removalId) },
};

/** Notes that a page shows. */
const shownNotes = 50;

export type Notes = Awaited<ReturnType<typeof listNotes>>;

/** The newest notes about something. */
export async function listNotes(db: Db, { kind, id }: NoteSubject) {
  const rows = await db
    .select({
      id: notes.id,
      text: notes.text,
      createdAt: notes.createdAt,
      author: sql<string>`coalesce(${users.name}, ${formerMember})`.as("author"),
    })
    .from(notes)
    .leftJoin(users, and(eq(users.id, notes.authorId), isNull(users.removalId)))
    .where(and(eq(notes.subjectId, id), eq(notes.subjectKind, kind)))
    .orderBy(desc(notes.id))
    .limit(shownNotes + 1);
  return { rows: rows.slice(0, shownNotes), hasMore: rows.length > shownNotes };
}

/** Stores a note; one with the same form key is stored once. False if there is nothing that it could be about. */
export async function addNote(
  db: Db,
  author: Viewer,
  { kind, id }: NoteSubject,
  { text, formKey }: { text: string; formKey: string | null },
): Promise<boolean> {
  const { table, name, isThere } = subjects[kind];
  const subject = and(eq(table.id, id), isThere);
  const refusal = await batchUnless(
    db,
    {
      "not found": hasRow(db, table, subject),
      done: formKey === null ? undefined : not(hasRow(db, notes, eq(notes.formKey, formKey))),
    },
    [
      db.insert(notes).values({ subjectKind: kind, subjectId: id, authorId: author.id, text, formKey }),
      addActivityOf(db, author, "wrote note", table, name, subject),
    ],
  );
  return refusal !== "not found";
}
