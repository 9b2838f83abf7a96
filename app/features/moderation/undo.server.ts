import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, phones, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { findUndoable } from "../audit/removals.server.ts";
import { restorePhone } from "../listings/sellings.server.ts";
import { restoreOrder } from "./order-restoring.server.ts";
import { restoreUser } from "./users.server.ts";

type Kind = keyof typeof restore;

/** How an undo went; "late" also stands for a removal that was never the asker's. */
export type UndoOutcome = `${Kind} restored` | `${Kind} impossible` | "late";

const restore = { user: restoreUser, phone: restorePhone, order: restoreOrder };

/**
 * Puts back what the actor deleted less than ten minutes ago: exactly that, all of it or nothing. The same undo
 * sent twice is answered alike, as long as what it put back is still there.
 */
export async function undoRemoval(db: Db, actor: Viewer, removalId: string): Promise<UndoOutcome> {
  const removal = await findUndoable(db, actor, removalId);
  if (!removal) return "late";
  const { kind, targetId, undoneAt } = removal;
  if (undoneAt) return (await isThere(db, kind, targetId)) ? `${kind} restored` : "late";
  if (await restore[kind](db, actor, removalId)) return `${kind} restored`;
  // The same undo may have been faster than this one.
  const now = await findUndoable(db, actor, removalId);
  return now?.undoneAt ? `${kind} restored` : `${kind} impossible`;
}

const tables = { user: users, phone: phones, order: bookings };

async function isThere(db: Db, kind: Kind, id: string): Promise<boolean> {
  const { [kind]: table } = tables;
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), isNull(table.removalId)));
  return rows.length > 0;
}
