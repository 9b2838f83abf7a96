import { and, eq, inArray, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  conversationParticipants,
  conversations,
  orderProblemSteps,
  orderProblems,
  orders,
  payments,
  phones,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { system, type Viewer } from "../accounts/viewer.ts";
import type { BuyerRecord } from "./buyer-record.tsx";
import { wasNotPaid, withEnd } from "./seller-record.server.ts";

/** Of the newest so many orders, those of the last year are counted. */
const maxOrders = 100;
const recordDays = 365;

/** As moderators decided, or as a protected order that was cancelled because its time was over. Nobody can pay on hold. */
const wasUnpaid = sql`(exists (select 1 from ${orderProblems} p
  join ${orderProblemSteps} d on d.id = p.last_step_id and d.kind = 'decided'
  where p.order_id = o.id and p.kind = 'not paid' and p.state = 'returned')
  or o.status = 'cancelled' and o.held_since is null and e.actor_id = ${system.id} and ${wasNotPaid}
    and exists (select 1 from ${payments} t where t.order_id = o.id and t.pay_by <= e.created_at))`;

const wasCancelled = sql`(o.status = 'cancelled' and o.held_since is null and e.kind = 'cancelled'
  and e.actor_id = o.buyer_id)`;

/** A column: how the orders of a buyer have ended. Whose fault the other ends were is not said. */
export function buyerRecordColumn(buyerId: SQLWrapper) {
  return sql<BuyerRecord>`(select json_object(
      'completed', count(*) filter (where o.status = 'active' and o.stage = 'received'),
      'cancelled', count(*) filter (where ${wasCancelled}),
      'notPaid', count(*) filter (where ${wasUnpaid}))
    from (select id, buyer_id, status, stage, held_since, created_at from ${orders} own
      where own.buyer_id = ${buyerId} order by own.id desc limit ${maxOrders}) o ${withEnd}
    where o.created_at > ${Date.now() - recordDays * dayMs})`.mapWith(parseRecord);
}

/** A column for what a seller has sold: the record of its buyer; null without one, or once they have gone. */
export function recordOfBuyerColumn(buyerId: SQLWrapper) {
  const isOpen = sql`exists (select 1 from ${users} b where b.id = ${buyerId} and b.removal_id is null)`;
  return sql<BuyerRecord | null>`iif(${isOpen}, ${buyerRecordColumn(buyerId)}, null)`.mapWith(parseRecord);
}

const parseRecord = (text: string) => JSON.parse(text) as BuyerRecord;

/** The records of buyers, by what a seller has with them. */
type BuyerRecords = Record<string, BuyerRecord>;

const byId = (rows: { id: string; record: BuyerRecord }[]): BuyerRecords =>
  Object.fromEntries(rows.map(({ id, record }) => [id, record]));

/** The records of the buyers of active orders that the viewer sells, by the order. */
export async function buyersOfOrders(db: Db, viewer: Viewer, orderIds: string[]): Promise<BuyerRecords> {
  if (orderIds.length === 0) return {};
  return byId(
    await db
      .select({ id: orders.id, record: buyerRecordColumn(users.id).as("buyer_record") })
      .from(orders)
      // By the ids, and not all listings of the seller.
      .innerJoin(phones, and(eq(phones.id, orders.phoneId), sql`+${phones.sellerId} = ${viewer.id}`))
      .innerJoin(users, and(eq(users.id, orders.buyerId), isNull(users.removalId)))
      .where(and(inArray(orders.id, orderIds), eq(orders.status, "active"))),
  );
}

/** The records of the buyers in conversations of the viewer, who is the seller, by the conversation. */
export async function buyersInConversations(
  db: Db,
  viewer: Viewer,
  conversationIds: string[],
): Promise<BuyerRecords> {
  if (conversationIds.length === 0) return {};
  const { conversationId, userId, otherId } = conversationParticipants;
  return byId(
    await db
      .select({ id: conversations.id, record: buyerRecordColumn(users.id).as("buyer_record") })
      .from(conversationParticipants)
      .innerJoin(conversations, and(eq(conversations.id, conversationId), eq(conversations.buyerId, otherId)))
      .innerJoin(users, and(eq(users.id, otherId), isNull(users.removalId)))
      .where(and(eq(userId, viewer.id), inArray(conversationId, conversationIds))),
  );
}
