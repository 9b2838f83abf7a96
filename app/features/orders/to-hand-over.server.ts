import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { pictureColumns } from "../listings/phones.server.ts";

/** What a seller has to hand over; price in cents. */
export type ToHandOver = Awaited<ReturnType<typeof listToHandOver>>[number];

/** Orders on one page, and slips that are printed at once. */
export const maxToHandOver = 50;

/** What the viewer has to hand over, the next deadline first, and last what is on hold. */
export function listToHandOver(db: Db, viewer: Viewer) {
  const isOnHold = sql`${orders.heldSince} is not null`;
  return selectToHandOver(db, viewer)
    .orderBy(asc(isOnHold), asc(orders.deadlineAt), asc(orders.id))
    .limit(maxToHandOver);
}

/** The chosen ones of these, in the order of the ids. */
export async function findToHandOver(db: Db, viewer: Viewer, orderIds: string[]) {
  const ids = orderIds.slice(0, maxToHandOver);
  const found = await selectToHandOver(db, viewer, ids).limit(maxToHandOver);
  return found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

function selectToHandOver(db: Db, viewer: Viewer, orderIds?: string[]) {
  return db
    .select({
      id: orders.id,
      phoneId: orders.phoneId,
      ownNumber: phones.ownNumber,
      productName: orders.productName,
      ram: orders.ram,
      rom: orders.rom,
      priceCents: orders.priceCents,
      buyerName: orders.buyerName,
      buyerAddress: orders.buyerAddress,
      buyerPhone: orders.phoneNumber,
      createdAt: orders.createdAt,
      deadlineAt: orders.deadlineAt,
      isOnHold: sql`${orders.heldSince} is not null`.mapWith(Boolean).as("is_on_hold"),
      picture: pictureColumns,
    })
    .from(phones)
    .innerJoin(orders, and(eq(orders.phoneId, phones.id), eq(orders.status, "active")))
    .where(
      and(
        eq(phones.sellerId, viewer.id),
        eq(phones.tab, "to hand over"),
        orderIds && inArray(orders.id, orderIds),
      ),
    );
}
