import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { assertCountsMatch } from "../../tests/harness/catalog-counts.ts";

/** What must hold whenever no request is under way: each query finds the rows that break it. */
const violations: Record<string, SQL> = {
  "two active orders of a phone": sql`
    select phone_id from bookings where status = 'active' group by phone_id having count(*) > 1`,

  "the status of a listing is not that of its orders": sql`
    select phones.id, phones.status, bookings.id as order_id, bookings.stage from phones
    left join bookings on bookings.phone_id = phones.id and bookings.status = 'active'
    where phones.status <> case when bookings.id is null then 'available'
      when bookings.stage = 'received' then 'sold' else 'reserved' end`,

  "an active order without a listing": sql`
    select id from bookings where status = 'active' and phone_id not in (select id from phones)`,

  "an order whose steps do not lead to its stage": sql`
    select bookings.id, bookings.status, stage, group_concat(kind) as steps from bookings
    left join order_steps on order_steps.order_id = bookings.id
    group by bookings.id
    having sum(kind = 'reserved') is not 1
      or sum(kind = 'handed over') <> (stage in ('handed over', 'received'))
      or sum(kind = 'received') <> (stage = 'received')
      or sum(kind = 'cancelled') - sum(kind = 'reinstated') <> (bookings.status = 'cancelled')
      or sum(kind = 'delivery changed') > 1`,

  "a step without an order": sql`select id from order_steps where order_id not in (select id from bookings)`,

  "a cancelled order whose cancellation was undone, or the opposite": sql`
    select bookings.id from bookings left join removals on removals.id = bookings.removal_id
    where (bookings.status = 'cancelled') <> (bookings.removal_id is not null and removals.undone_at is null)`,

  "a removed account that is logged in": sql`
    select sessions.user_id from sessions join users on users.id = sessions.user_id
    where users.removal_id is not null`,

  "a visible listing of a removed account": sql`
    select phones.id from phones join users on users.id = phones.seller_id
    where users.removal_id is not null and phones.removal_id is null and phones.status = 'available'`,

  "a listing on sale of a suspended account": sql`
    select phones.id from phones join users on users.id = phones.seller_id
    where users.suspension_id is not null and phones.removal_id is null and phones.status = 'available'`,

  "hidden by what was undone": sql`
    select removals.id, kind from removals where undone_at is not null and id in (
      select removal_id from phones union select removal_id from users union select removal_id from bookings
      union select suspension_id from users)`,

  "a notification without its order": sql`
    select event from notifications
    where kind in ('order placed', 'booked', 'cancelled', 'reinstated', 'handed over', 'received')
      and not exists (select 1 from bookings where instr(event || ' ' || path, bookings.id) > 0)
      and not exists (select 1 from order_steps where instr(event, order_steps.id) > 0)`,

  "a message without its conversation": sql`
    select messages.id from messages left join conversations on conversations.id = conversation_id
    where conversations.id is null`,

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
