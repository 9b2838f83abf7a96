import { sql } from "drizzle-orm";
import {
  conversationParticipants,
  conversations,
  messages,
  offers,
  orderProblems,
  orderSteps,
  orders,
  phones,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { system } from "../accounts/viewer.ts";
import type { SellerRecord } from "./seller-record.tsx";

/** Of the newest so many are counted, which limits what a page with a record costs. */
const counted = { listings: 1000, orders: 100, conversations: 50 };

const sellerId = sql`"users"."id"`;

/** Selects how a row of `users` has dealt with buyers as a seller, as a column. */
export function recordColumn(now = Date.now()) {
  return sql<SellerRecord>`json_object(
    'sales', (select count(*) from (select status, hidden_by_id from ${phones} where seller_id = ${sellerId}
      order by id desc limit ${counted.listings}) where status = 'sold' and hidden_by_id is null),
    'orders', json((select json_object(
        'handedOver', count(*) filter (where stage <> 'reserved'),
        'missed', count(*) filter (where was_missed),
        'all', count(*) filter (where status = 'active' or problem is not null),
        'withProblem', count(problem),
        'returned', count(*) filter (where problem = 'returned')) from ${recentOrders()})),
    'questions', json((select json_object(
        'answered', count(*) filter (where was_answered),
        'unanswered', count(*) filter (where was_due and not was_answered and created_at < ${now - dayMs}))
      from ${recentQuestions()})))`.mapWith((text: string) => JSON.parse(text) as SellerRecord);
}

/**
 * With whether the seller or, at the deadline, Ringback has cancelled before the handover, unless the buyer had left
 * by then, and how the buyer's problem has ended, unless refused: what nobody has agreed to or decided yet says nothing about the seller.
 */
function recentOrders() {
  const hadLeft = sql`exists (select 1 from ${users} b where b.id = o.buyer_id and b.removal_id < s.id)`;
  const cancelledBy = sql`(select iif(s.kind = 'cancelled' and not ${hadLeft}, s.actor_id, null) from ${orderSteps} s
    where s.order_id = o.id and s.kind in ('cancelled', 'returned') order by s.id desc limit 1)`;
  return sql`(select o.status, o.stage,
      o.status = 'cancelled' and o.stage = 'reserved'
        and coalesce(${cancelledBy} in (${system.id}, ${sellerId}), 0) as was_missed,
      (select iif(max(p.state = 'returned'), 'returned', 'solved') from ${orderProblems} p
        where p.order_id = o.id and p.opened_by = 'buyer' and p.state in ('solved', 'returned')
        group by p.order_id) as problem
    from ${phones} l join ${orders} o on o.phone_id = l.id
    where l.seller_id = ${sellerId} order by l.id desc limit ${counted.orders})`;
}

/**
 * Conversations that buyers began, with whether the seller wrote or answered an offer within a day. No answer is due to
 * an offer that its buyer withdrew or made use of, or that came to nothing because somebody booked the device.
 */
function recentQuestions() {
  const end = sql`c.created_at + ${dayMs}`;
  return sql`(select c.created_at,
      exists (select 1 from ${messages} m
        where m.conversation_id = c.id and m.sender_id = p.user_id and m.created_at <= ${end})
      or exists (select 1 from ${messages} m join ${offers} o on o.id = m.id
        where m.conversation_id = c.id and o.side = 'buyer' and o.answer in ('accepted', 'refused')
          and o.answered_at <= ${end}) as was_answered,
      exists (select 1 from ${messages} m left join ${offers} o on o.id = m.id
        where m.conversation_id = c.id and m.sender_id = c.buyer_id
          and (o.id is null or o.answer is not 'withdrawn' and not exists (select 1 from ${orders} b
            where b.phone_id = o.phone_id and b.created_at between o.created_at and o.expires_at))) as was_due
    from ${conversationParticipants} p join ${conversations} c on c.id = p.conversation_id
    where p.user_id = ${sellerId} and c.buyer_id <> p.user_id
    order by p.last_message_id desc limit ${counted.conversations})`;
}
