import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { OrderSide, OrderStage } from "#app/db/enums.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import { isUnpaid } from "../payments/protected-orders.server.ts";
import { endColumn, parcelColumns } from "./order-steps.server.ts";
import { isAtStage, orderColumns } from "./orders.server.ts";

/** An order with all its fields; price in cents. */
export type OrderRecord = Awaited<ReturnType<typeof selectOrders>>[number];

interface OwnOrders {
  side: OrderSide;
  userId: string;
  stage: OrderStage | undefined;
}

/** Selects active orders of one buyer or seller for the API, newest first. */
export async function selectOrders(
  db: Db,
  { side, userId, stage }: OwnOrders,
  cursor: Cursor,
  limit: number,
) {
  const { afterCursor, orderBy } = keyset(orders.id, cursor);
  const sold = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, userId));
  const isOwn = side === "buyer" ? eq(orders.buyerId, userId) : inArray(orders.phoneId, sold);
  const found = await db
    .select({
      ...orderColumns,
      phoneId: orders.phoneId,
      buyerAddress: orders.buyerAddress,
      email: orders.email,
      phone: orders.phoneNumber,
      stage: orders.stage,
      isToPay: isUnpaid(db).mapWith(Boolean).as("is_to_pay"),
      endsAt: endColumn(db).as("ends_at"),
      parcel: parcelColumns,
      ownNumber: (side === "seller"
        ? sql<
            string | null
          >`(select ${phones.ownNumber} from ${phones} where ${phones.id} = ${orders.phoneId})`
        : sql<null>`null`
      ).as("own_number"),
    })
    .from(orders)
    .where(and(isOwn, isAtStage(db, stage), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
  // Where it goes is told once it is paid.
  const hidden = { buyerAddress: "", email: "", phone: "" };
  return found.map((order) => ({ ...order, ...(side === "seller" && order.isToPay && hidden) }));
}
