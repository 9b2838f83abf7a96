import { sql } from "drizzle-orm";
import {
  conversationParticipants,
  conversations,
  messages,
  orderSteps,
  orders,
  phones,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { system } from "../accounts/viewer.ts";
import type { SellerRecord } from "./seller-record.tsx";

/** Of the newest so many are counted, which limits what a page with a record costs. */
const counted = { listings: 1000, orders: 100, conversations: 50 };

const sellerId = sql`"users"."id"`;

/** Selects how a row of `users` has dealt with buyers as a seller, as a column. */
export function recordColumn(now = Date.now()) {
  const wasLate = sql`(o.status = 'cancelled' and o.stage = 'reserved' and exists (select 1 from ${orderSteps} s
    where s.order_id = o.id and s.kind = 'cancelled' and s.actor_id = ${system.id}))`;
  const wasAnswered = sql`exists (select 1 from ${messages} m where m.conversation_id = c.id
    and m.sender_id = c.user_id and m.created_at <= c.created_at + ${dayMs})`;
  return sql<SellerRecord>`json_object(
    'sales', (select count(*) from (select status, removal_id from ${phones} where seller_id = ${sellerId}
      order by id desc limit ${counted.listings}) where status = 'sold' and removal_id is null),
    'handedOver', (select count(*) from ${recentOrders()} o where o.stage <> 'reserved'),
    'late', (select count(*) from ${recentOrders()} o where ${wasLate}),
    'answered', (select count(*) from ${recentQuestions()} c where ${wasAnswered}),
    'unanswered', (select count(*) from ${recentQuestions()} c
      where c.created_at < ${now - dayMs} and not ${wasAnswered}))`.mapWith(
    (text: string) => JSON.parse(text) as SellerRecord,
  );
}

function recentOrders() {
  return sql`(select o.id, o.status, o.stage from ${phones} p join ${orders} o on o.phone_id = p.id
    where p.seller_id = ${sellerId} order by p.id desc limit ${counted.orders})`;
}

/** Conversations that buyers began. */
function recentQuestions() {
  return sql`(select c.id, c.created_at, p.user_id from ${conversationParticipants} p
    join ${conversations} c on c.id = p.conversation_id
    where p.user_id = ${sellerId} and c.buyer_id <> p.user_id
    order by p.last_message_id desc limit ${counted.conversations})`;
}
