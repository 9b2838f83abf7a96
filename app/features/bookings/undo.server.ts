import type { Db } from "#app/db/client.server.ts";
import { findUndoable } from "../accounts/removals.server.ts";
import { restoreUser } from "../accounts/users.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { restorePhone } from "../phones/sellings.server.ts";
import { restoreOrder } from "./orders.server.ts";

type Kind = keyof typeof restore;

/** How an undo went; "late" also stands for a removal that was never the asker's. */
export type UndoOutcome = `${Kind} restored` | `${Kind} impossible` | "late";

const restore = { user: restoreUser, phone: restorePhone, order: restoreOrder };

/** Puts back what the actor deleted less than ten minutes ago: exactly that, all of it or nothing. */
export async function undoRemoval(db: Db, actor: Viewer, removalId: string): Promise<UndoOutcome> {
  const removal = await findUndoable(db, actor, removalId);
  if (!removal) return "late";
  const restored = removal.undoneAt !== null || (await restore[removal.kind](db, actor, removalId));
  if (restored) return `${removal.kind} restored`;
  // The same undo, sent twice, may have been faster than this one.
  const now = await findUndoable(db, actor, removalId);
  return `${removal.kind} ${now?.undoneAt ? "restored" : "impossible"}`;
}
