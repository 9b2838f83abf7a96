import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { assertCountsMatch } from "../../tests/harness/catalog-counts.ts";

/** What must hold whenever no request is under way: each query finds the rows that break it. */
const violations: Record<string, SQL> = {
  "two active orders of a phone": sql`
    select phone_id from orders where status = 'active' group by phone_id having count(*) > 1`,

  "the status of a listing is not that of its orders": sql`
    select phones.id, phones.status, orders.id as order_id, orders.stage from phones
    left join orders on orders.phone_id = phones.id and orders.status = 'active'
    where phones.status <> case when orders.id is null then 'available'
      when orders.stage = 'received' then 'sold' else 'reserved' end`,

  "an active order without a listing": sql`
    select id from orders where status = 'active' and phone_id not in (select id from phones)`,

  "an order whose steps do not lead to its stage": sql`
    select orders.id, orders.status, stage, group_concat(kind) as steps from orders
    left join order_steps on order_steps.order_id = orders.id
    group by orders.id
    having sum(kind = 'reserved') is not 1
      or sum(kind = 'handed over') <> (stage in ('handed over', 'received'))
      -- A returned sale goes back to the stage before its receipt.
      or (sum(kind = 'returned') = 0 and sum(kind = 'received') <> (stage = 'received'))
      or sum(kind in ('cancelled', 'returned')) - sum(kind = 'reinstated') <> (orders.status = 'cancelled')
      -- One of each side.
      or sum(kind = 'delivery changed') > 2`,

  "an order that its deadline ended while a problem was open": sql`
    select orders.id from orders
    join order_steps on order_steps.order_id = orders.id and order_steps.actor_id = ''
      and order_steps.kind in ('cancelled', 'received')
    join order_problems on order_problems.order_id = orders.id and order_problems.kind not in ('not refunded', 'not returned')
      and order_problems.created_at < order_steps.created_at
    where coalesce(order_problems.ended_at > order_steps.created_at, 1)`,

  "more than one open problem of a side of an order": sql`
    select order_id from order_problems where ended_at is null group by order_id, opened_by having count(*) > 1`,

  "an order with an open problem that is not on hold": sql`
    select orders.id from orders join order_problems on order_problems.order_id = orders.id
    where orders.status = 'active' and orders.held_since is null and order_problems.ended_at is null`,

  "a step without an order": sql`select id from order_steps where order_id not in (select id from orders)`,

  "a cancelled order whose cancellation was undone, or the opposite": sql`
    select orders.id from orders left join removals on removals.id = orders.removal_id
    where (orders.status = 'cancelled') <> (orders.removal_id is not null and removals.undone_at is null)`,

  "a removed account that is logged in": sql`
    select sessions.user_id from sessions join users on users.id = sessions.user_id
    where users.removal_id is not null`,

  "a visible listing of a removed account": sql`
    select phones.id from phones join users on users.id = phones.seller_id
    where users.removal_id is not null and phones.hidden_by_id is null and phones.status = 'available'`,

  "a listing on sale of a suspended account": sql`
    select phones.id from phones join users on users.id = phones.seller_id
    where users.suspension_id is not null and phones.hidden_by_id is null and phones.status = 'available'`,

  "hidden by what was undone": sql`
    select removals.id, kind from removals where undone_at is not null and id in (
      select hidden_by_id from phones union select removal_id from users union select removal_id from orders
      union select suspension_id from users)`,

  "a notification without its order": sql`
    select event from notifications
    where kind in ('order placed', 'booked', 'cancelled', 'reinstated', 'handed over', 'received')
      and not exists (select 1 from orders where instr(event || ' ' || path, orders.id) > 0)
      and not exists (select 1 from order_steps where instr(event, order_steps.id) > 0)`,

  "a message without its conversation": sql`
    select messages.id from messages left join conversations on conversations.id = conversation_id
    where conversations.id is null`,

  "sums of the ledger that are not those of its entries": sql`
    select * from (
      select '' as seller_id, kind, sum(amount_cents) as cents, count(distinct order_id) as orders from ledger_entries group by kind
      union all select seller_id, kind, sum(ledger_entries.amount_cents), count(distinct ledger_entries.order_id)
        from ledger_entries join payments using (order_id) where seller_id is not null group by 1, 2) as real
    where not exists (select 1 from ledger_sums where ledger_sums.seller_id = real.seller_id and ledger_sums.kind = real.kind
      and ledger_sums.cents = real.cents and ledger_sums.orders = real.orders)`,

  "a reference to a missing row": sql`select * from pragma_foreign_key_check`,
};

/** Checks all invariants. @returns what is violated, with the rows */
export async function findViolations(db: Db): Promise<string[]> {
  const found: string[] = [];
  const [first, ...others] = Object.values(violations).map((query) => db.all(query));
  if (!first) return found;
  const results = await db.batch([first, ...others]);
  for (const [index, name] of Object.keys(violations).entries()) {
    const rows = results[index] as unknown[];
    if (rows.length > 0) found.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  try {
    await assertCountsMatch(db, "the counters of the catalog");
  } catch (error) {
    found.push(String(error));
  }
  return found;
}
