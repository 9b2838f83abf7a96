import { and, asc, desc, eq, inArray, not, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { allRows, exportBatchSize, keyset, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { addRemoval } from "../audit/removals.server.ts";
import { removalOfSeller } from "../listings/listing-removal.server.ts";
import { actorInOrders, cancellableStages } from "./order.rules.ts";
import { notifySide } from "./order-notifications.server.ts";
import { addStep, isOverdue, isSeller } from "./order-steps.server.ts";
import type { OrderQuery } from "./order-table.rules.ts";

const orderColumns = {
  id: orders.id,
  buyerName: orders.buyerName,
  productName: orders.productName,
  ram: orders.ram,
  rom: orders.rom,
  priceCents: orders.priceCents,
};

/** An order in the table of My Orders; price in cents. */
export type Order = Awaited<ReturnType<typeof listOrders>>["rows"][number];

/** A page of the viewer's own orders, by default the active ones and the newest first. */
export function listOrders(db: Db, viewer: Viewer, cursor: Cursor, query: OrderQuery = { filters: {} }) {
  const condition = and(hasStage(query.filters.stage), eq(orders.buyerId, viewer.id));
  return orderPage(db, cursor, condition, orderOrder(query));
}

/** A page of all orders, by default the active ones and the newest first. */
export async function listAllOrders(db: Db, cursor: Cursor, query: OrderQuery = { filters: {} }) {
  return orderPage(db, cursor, await ordersMatching(db, query), orderOrder(query));
}

/** All orders that match a table's query, in batches. */
export async function* exportOrders(db: Db, query: OrderQuery) {
  yield* allRows(
    {
      table: orders,
      where: await ordersMatching(db, query),
      ...orderOrder(query),
      read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
        db
          .select({
            ...orderColumns,
            email: orders.email,
            status: orders.status,
            stage: orders.stage,
            createdAt: orders.createdAt,
            sortValue,
          })
          .from(orders)
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    },
    exportBatchSize,
  );
}

const isActive = eq(orders.status, "active");

async function ordersMatching(db: Db, { filters: { q, stage, seller, from, to } }: OrderQuery) {
  const indexed = await selectiveFilters(db, orders, [
    q && inArray(orders.buyerId, usersNamed(db, q)),
    seller &&
      inArray(
        orders.phoneId,
        db
          .select({ id: phones.id })
          .from(phones)
          .where(inArray(phones.sellerId, usersNamed(db, seller))),
      ),
  ]);
  return and(hasStage(stage), ...indexed, ...isWithin(orders.createdAt, dayRange({ from, to })));
}

function hasStage(stage: OrderQuery["filters"]["stage"]): SQL | undefined {
  if (stage === "all") return undefined;
  if (stage === "cancelled") return eq(orders.status, "cancelled");
  return and(isActive, stage && eq(orders.stage, stage));
}

function orderOrder({ order }: OrderQuery) {
  return {
    order: order === "oldest" || order === "price-up" ? asc : desc,
    sortBy: order === "price-up" || order === "price-down" ? orders.priceCents : undefined,
  };
}

function orderPage(
  db: Db,
  cursor: Cursor,
  condition: SQL | undefined,
  sorting?: ReturnType<typeof orderOrder>,
) {
  return numberedPage(db, cursor, {
    table: orders,
    where: condition,
    ...sorting,
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({
          ...orderColumns,
          buyerId: orders.buyerId,
          status: orders.status,
          sortValue,
          stage: orders.stage,
          createdAt: orders.createdAt,
          deadlineAt: orders.deadlineAt,
          image: phones.image,
          deviceType: phones.deviceType,
          /** The photos of a removed listing are deleted. */
          cover: sql<string | null>`iif(${phones.removalId} is null, ${phones.cover}, null)`.as("photo"),
        })
        .from(orders)
        .leftJoin(phones, eq(phones.id, orders.phoneId))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** An order with all its fields; price in cents. */
export type OrderRecord = Awaited<ReturnType<typeof selectOrders>>[number];

/** Selects active orders of one buyer for the API, newest first. */
export function selectOrders(db: Db, buyerId: string, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(orders.id, cursor);
  return db
    .select({
      ...orderColumns,
      phoneId: orders.phoneId,
      buyerAddress: orders.buyerAddress,
      email: orders.email,
      phone: orders.phone,
    })
    .from(orders)
    .where(and(eq(orders.buyerId, buyerId), eq(orders.status, "active"), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/**
 * Cancels an order and makes its phone available, or removed if its seller has been removed since.
 *
 * @param role "seller" for the seller, who may be an administrator too
 * @returns the removal's id, to undo it; null if there is no such order that the actor may cancel, the system only when
 *   its time is over
 */
export async function cancelOrder(
  db: Db,
  actor: Actor,
  orderId: string,
  role?: "seller",
): Promise<string | null> {
  const removalId = timeOrderedId();
  const order = eq(orders.id, orderId);
  const by = role ?? actorInOrders(actor);
  const isParty = { buyer: eq(orders.buyerId, actor.id), seller: isSeller(db, actor) };
  const isAllowed = and(
    order,
    eq(orders.status, "active"),
    inArray(orders.stage, cancellableStages(by)),
    // An administrator who is the buyer has the buyer's rules.
    by === "administrator"
      ? or(not(isParty.buyer), inArray(orders.stage, cancellableStages("buyer")))
      : undefined,
    by === "buyer" || by === "seller" ? isParty[by] : undefined,
    by === "system" ? isOverdue() : undefined,
  );
  const kind = by === "system" ? "cancelled by system" : "cancelled";
  const notification = { order, event: `cancelled ${removalId}`, actorId: actor.id };
  const refusal = await batchUnless(db, { refused: hasRow(db, orders, isAllowed) }, [
    addRemoval(db, actor, "order", { id: removalId, targetId: orderId }),
    db.update(orders).set({ status: "cancelled", removalId }).where(order),
    db
      .update(phones)
      .set({
        status: "available",
        // A listing that a moderator has hidden stays hidden.
        removalId: sql`coalesce(${phones.removalId}, ${removalOfSeller})`,
      })
      .where(
        and(
          eq(phones.status, "reserved"),
          inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order)),
        ),
      ),
    addStep(db, actor, orderId, "cancelled"),
    addActivityOf(
      db,
      actor,
      "deleted order",
      orders,
      orders.productName,
      and(order, not(isParty.buyer), not(isParty.seller)),
    ),
    notifySide(db, "buyer", kind, notification),
    notifySide(db, "seller", kind, notification),
  ]);
  return refusal ? null : removalId;
}
