import { type SQLWrapper, sql } from "drizzle-orm";
import {
  blocks,
  conversationParticipants,
  conversations,
  decisions,
  messages,
  offers,
  orderProblems,
  orderSteps,
  orders,
  payments,
  phones,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { system } from "../accounts/viewer.ts";
import type { SellerRecord } from "./seller-record.tsx";

/** Of the newest so many are counted, which limits what a page with a record costs. */
const counted = { sales: 1000, orders: 100, conversations: 50 };

const sellerId = sql`"users"."id"`;

/** Selects how a row of `users` has dealt with buyers as a seller, as a column. */
export function sellerRecordColumn() {
  return sql<SellerRecord>`json_object(
    'sales', (select count(*) from (select hidden_by_id, sold_elsewhere from ${phones} where seller_id = ${sellerId}
      and tab = 'sold' order by id desc limit ${counted.sales}) where hidden_by_id is null and not sold_elsewhere),
    'orders', json((select json_object(
        'handedOver', count(*) filter (where stage <> 'reserved' and not was_cancelled),
        'missed', count(*) filter (where was_missed),
        'all', count(*) filter (where status = 'active' or problem is not null),
        'withProblem', count(problem),
        'returned', count(*) filter (where problem = 'returned'),
        'handoverTimes', json_group_array(handover_ms) filter (where handover_ms is not null)) from ${recentOrders()})),
    'questions', json((select json_object(
        'answered', count(*) filter (where was_answered),
        'unanswered', count(*) filter (where was_due and not was_answered and created_at < ${Date.now() - dayMs}))
      from ${recentQuestions()})))`.mapWith((text: string): SellerRecord => {
    const { orders, ...record } = JSON.parse(text) as StoredRecord;
    const { handoverTimes, ...counts } = orders;
    return { ...record, orders: counts, handoverMs: usualTime(handoverTimes) };
  });
}

type StoredRecord = Omit<SellerRecord, "handoverMs"> & {
  orders: SellerRecord["orders"] & { handoverTimes: number[] };
};

/** Fewer handovers say nothing about the usual time. */
const minHandovers = 3;

function usualTime(times: number[]): number | null {
  if (times.length < minHandovers) return null;
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)] ?? null;
}

/** Condition on an order `o` and its end `e`: it was cancelled, not ended by a problem. */
const wasCancelled = sql`(o.status = 'cancelled' and e.kind = 'cancelled')`;

/** Condition on an order `o` and its end `e`: its buyer had blocked the seller by then. A seller's own block excuses nothing. */
const wasBlocked = sql`exists (select 1 from ${blocks} b where b.created_at <= e.created_at
  and b.blocker_id = o.buyer_id and b.blocked_id = l.seller_id)`;

/** The buyer gave more time, and then wrote nothing, though the seller did. */
const wasUnanswered = sql`exists (select 1 from ${orderSteps} x
  join ${conversations} c on c.phone_id = o.phone_id and c.buyer_id = o.buyer_id
  join ${messages} m on m.conversation_id = c.id and m.sender_id = l.seller_id
    and m.created_at between x.created_at and e.created_at
  where x.order_id = o.id and x.kind = 'extended' and x.actor_id = o.buyer_id
    and not exists (select 1 from ${messages} r where r.conversation_id = c.id
      and r.sender_id = o.buyer_id and r.created_at >= x.created_at))`;

/** Nobody can hand a device over to a buyer who has left or is suspended. */
const hadNoBuyer = sql`(exists (select 1 from ${users} b where b.id = o.buyer_id and b.removal_id < e.id)
  or exists (select 1 from ${decisions} d where d.owner_id = o.buyer_id and d.kind = 'suspend'
    and d.id < e.id and coalesce(d.ended_at >= e.created_at, true)))`;

/** A protected order whose buyer had not paid by its end, so that nothing was to be handed over. */
export const wasNotPaid = sql`exists (select 1 from ${payments} t
  where t.order_id = o.id and (t.paid_at is null or t.paid_at >= e.created_at))`;

/**
 * Condition on an order `o` of a listing `l` and its end `e`: it is a mark for the seller, who has cancelled it, or not
 * handed the device over by the deadline, though the buyer did their part. What an administrator cancels counts for nobody.
 */
const wasMissed = sql`(${wasCancelled} and not ${hadNoBuyer} and not ${wasBlocked} and not ${wasNotPaid}
  and (e.actor_id = l.seller_id
    or e.actor_id = ${system.id} and o.held_since is null and e.created_at >= o.deadline_at and not ${wasUnanswered}))`;

/** Whether the end of an order is a mark for its seller, as a column. */
export function countsAgainstSellerColumn(orderId: string | SQLWrapper) {
  return sql`(select coalesce(${wasMissed}, 0) from ${orders} o join ${phones} l on l.id = o.phone_id
    ${withEnd} where o.id = ${orderId})`.mapWith(Boolean);
}

/** Joins the end `e` of an order `o`. */
export const withEnd = sql`left join ${orderSteps} e on e.id = (select max(s.id) from ${orderSteps} s
  where s.order_id = o.id and s.kind in ('cancelled', 'returned'))`;

/**
 * With whether the order is a mark for the seller, and how the buyer's problem has ended, unless refused: what nobody
 * has agreed to or decided yet says nothing about the seller, nor does a buyer who changes their mind. And how long it took to hand the device over.
 */
function recentOrders() {
  return sql`(select o.status, o.stage, coalesce(${wasMissed}, 0) as was_missed,
      coalesce(${wasCancelled}, 0) as was_cancelled,
      (select max(h.created_at) - o.created_at from ${orderSteps} h
        where h.order_id = o.id and h.kind = 'handed over' and o.stage <> 'reserved') as handover_ms,
      (select iif(max(p.state = 'returned'), 'returned', 'solved') from ${orderProblems} p
        where p.order_id = o.id and p.opened_by = 'buyer' and p.state in ('solved', 'returned')
          and p.kind <> 'changed mind'
        group by p.order_id) as problem
    from ${phones} l join ${orders} o on o.phone_id = l.id ${withEnd}
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
