import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { numberedPage } from "#app/db/keyset.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { ToHandOverQuery } from "../listings/listing-table.rules.ts";
import { sellingMatch } from "../listings/listing-tables.server.ts";
import { attributeColumns, pictureColumns } from "../listings/listings.server.ts";
import { refundColumn } from "../payments/protected-orders.server.ts";
import { handoverRefusalColumn } from "./order-steps.server.ts";
import { missingAddress, type OrderRefusal, orderNumber, orderRefusals } from "./order-texts.ts";

/** What a seller has to hand over; price in cents. */
export type ToHandOver = Awaited<ReturnType<typeof listToHandOver>>["rows"][number];

/** Orders on one page, and slips that are printed at once. */
const maxToHandOver = 50;

/** A page of what the viewer has to hand over, the next deadline first, then what is on hold; what waits for its payment ends its page. */
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
      : sql`${orders.phoneId} in (select ${phones.id} from sellings_fts
          cross join ${phones} on ${phones.number} = sellings_fts.rowid where sellings_fts match ${match})`;
  const page = await numberedPage(db, cursor, {
    table: orders,
    where: and(isToHandOver(viewer), isFound),
    size: maxToHandOver,
    order: asc,
    // As its index has it.
    sortBy: sql`printf('%d %015d', ${orders.heldSince} is not null, coalesce(${orders.deadlineAt}, 0))`,
    read: ({ where, orderBy, limit, sortValue }) =>
      selectToHandOver(db, viewer, { sortValue })
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
  const rows = page.rows.map(toldOf);
  // The index sorts by deadline, and a payment is due within the hour.
  return { ...page, rows: rows.sort((one, other) => Number(one.isUnpaid) - Number(other.isUnpaid)) };
}

/** Of the chosen orders of the viewer, in the order of the ids, those that have a slip, and why the others have none. */
export async function findSlips(db: Db, viewer: Viewer, orderIds: string[]) {
  const ids = orderIds.slice(0, maxToHandOver);
  const isChosen = and(eq(orders.soldById, viewer.id), inArray(orders.id, ids));
  const found = (await selectToHandOver(db, viewer, {}).where(isChosen)).map(toldOf);
  found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  return {
    slips: found.filter(({ reason }) => !reason),
    leftOut: found.flatMap(({ id, productName, reason }) =>
      reason ? [`No slip for ${productName}, order ${orderNumber(id)}: ${reason}`] : [],
    ),
  };
}

interface Selected {
  refusal: OrderRefusal | null;
  buyerName: string;
  buyerAddress: string;
  buyerPhone: string;
  statedDelivery: Parameters<typeof missingAddress>[0];
}

/** What is told of an order: why it cannot be handed over, if it cannot, and to whom it goes, a line each. */
function toldOf<Order extends Selected>({
  refusal,
  buyerName,
  buyerAddress,
  buyerPhone,
  statedDelivery,
  ...order
}: Order) {
  const isUnpaid = refusal === "not paid yet";
  const isDone = refusal === "done before";
  const place = [buyerAddress || missingAddress(statedDelivery).seller, buyerPhone];
  return {
    ...order,
    isUnpaid,
    reason: refusal && orderRefusals[isDone ? "handed over before" : refusal],
    isShippable: buyerAddress !== "" || statedDelivery !== "in person",
    // Where it goes is told once it is paid.
    recipient: [buyerName, ...(isUnpaid ? [] : place)].filter(Boolean).join("\n"),
  };
}

/** Condition on `orders`. Its states are not parameters, else SQLite would not use the partial index. */
const isToHandOver = (viewer: Viewer) =>
  and(eq(orders.soldById, viewer.id), sql`${orders.status} = 'active' and ${orders.stage} = 'reserved'`);

function selectToHandOver<More extends Record<string, SQL.Aliased>>(db: Db, viewer: Viewer, more: More) {
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
      buyerAddress: orders.buyerAddress,
      buyerPhone: orders.phoneNumber,
      statedDelivery: attributeColumns.delivery,
      createdAt: orders.createdAt,
      deadlineAt: orders.deadlineAt,
      refusal: handoverRefusalColumn(db, viewer),
      isOnHold: sql`${orders.heldSince} is not null`.mapWith(Boolean).as("is_on_hold"),
      picture: pictureColumns,
    })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId));
}
