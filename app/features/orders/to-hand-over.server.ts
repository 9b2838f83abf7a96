import { and, asc, eq, inArray, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { numberedPage } from "#app/db/keyset.server.ts";
import { orders, payments, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { ToHandOverQuery } from "../listings/listing-table.rules.ts";
import { numbersThat, sellingMatch } from "../listings/listing-tables.server.ts";
import { attributeColumns, pictureColumns } from "../listings/listings.server.ts";
import { isJoinedUnpaid, refundColumn } from "../payments/protected-orders.server.ts";

/** What a seller has to hand over; price in cents. */
export type ToHandOver = Awaited<ReturnType<typeof findToHandOver>>[number];

/** Orders on one page, and slips that are printed at once. */
const maxToHandOver = 50;

/** A page of what the viewer has to hand over, the next deadline first, and last what is on hold. */
export async function listToHandOver(
  db: Db,
  viewer: Viewer,
  cursor: Cursor,
  { filters: { q } }: ToHandOverQuery = { filters: {} },
) {
  const match = q ? await sellingMatch(db, viewer, { q, tab: "to hand over" }) : null;
  const isFound =
    match === null
      ? undefined
      : sql`${orders.phoneId} in (select ${phones.id} from ${phones} where ${phones.number} in ${numbersThat(match)})`;
  return numberedPage(db, cursor, {
    table: orders,
    where: and(isToHandOver(viewer), isFound),
    size: maxToHandOver,
    order: asc,
    // As its index has it.
    sortBy: sql`printf('%d %015d', ${orders.heldSince} is not null, coalesce(${orders.deadlineAt}, 0))`,
    read: ({ where, orderBy, limit, sortValue }) =>
      selectToHandOver(db, { sortValue })
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** The chosen ones of these, in the order of the ids. */
export async function findToHandOver(db: Db, viewer: Viewer, orderIds: string[]) {
  const ids = orderIds.slice(0, maxToHandOver);
  const isChosen = and(isToHandOver(viewer), not(isJoinedUnpaid), inArray(orders.id, ids));
  const found = await selectToHandOver(db, {}).where(isChosen);
  return found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** Condition on `orders`. Its states are not parameters, else SQLite would not use the partial index. */
const isToHandOver = (viewer: Viewer) =>
  and(eq(orders.soldById, viewer.id), sql`${orders.status} = 'active' and ${orders.stage} = 'reserved'`);

function selectToHandOver<More extends Record<string, SQL.Aliased>>(db: Db, more: More) {
  return db
    .select({
      ...more,
      id: orders.id,
      phoneId: orders.phoneId,
      ownNumber: phones.ownNumber,
      productName: orders.productName,
      ram: orders.ram,
      rom: orders.rom,
      priceCents: orders.priceCents,
      refundCents: refundColumn.as("refund_cents"),
      buyerName: orders.buyerName,
      // Where it goes is told once it is paid.
      buyerAddress: sql<string>`iif(${isJoinedUnpaid}, '', ${orders.buyerAddress})`.as("shown_address"),
      buyerPhone: sql<string>`iif(${isJoinedUnpaid}, '', ${orders.phoneNumber})`.as("shown_phone"),
      statedDelivery: attributeColumns.delivery,
      createdAt: orders.createdAt,
      deadlineAt: orders.deadlineAt,
      isUnpaid: isJoinedUnpaid.mapWith(Boolean).as("is_unpaid"),
      isOnHold: sql`${orders.heldSince} is not null`.mapWith(Boolean).as("is_on_hold"),
      picture: pictureColumns,
    })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .leftJoin(payments, eq(payments.orderId, orders.id));
}
