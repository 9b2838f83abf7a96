import assert from "node:assert/strict";
import { gt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariants } from "#app/db/schema.ts";

/** Asserts that the number of each variant equals a recount of its listed phones, and that the sums agree. */
export async function assertCountsMatch(db: Db, what: string) {
  const kept = await db
    .select({ variantId: deviceVariants.id, listed: deviceVariants.listed })
    .from(deviceVariants)
    .where(gt(deviceVariants.listed, 0))
    .orderBy(deviceVariants.id);
  const recount = await db.all(sql`
    select device_variants.id as "variantId", count(*) as listed
    from phones join users on users.id = seller_id
    join device_variants on (brand, device_variants.model, device_variants.processor, device_variants.rom, device_variants.ram) =
        (brand_name, phones.model, phones.processor, phones.rom, phones.ram)
      and device_variants.category = case when device_type = 'Tablet' then 'tablet' when os = 'Ios' then 'ios' else 'android' end
    where phones.hidden_by_id is null and phones.status in ('available', 'reserved')
    group by device_variants.id order by device_variants.id`);
  assert.deepEqual(kept, recount, what);
  await assertTabsMatch(db, what);
  const sumsBy = (
    facet: string,
    value: SQL,
  ) => sql`select ${facet} as facet, ${value} as value, category, sum(listed) as listed
    from device_variants where listed > 0 group by 2, 3`;
  const sums = [
    sumsBy("all", sql`''`),
    ...["brand", "rom", "ram"].map((name) => sumsBy(name, sql`${sql.identifier(name)}`)),
  ];
  const inOrder = sql`order by facet, value, category`;
  assert.deepEqual(
    await db.all(sql`select * from listed_counts where listed <> 0 ${inOrder}`),
    await db.all(sql`select * from (${sql.join(sums, sql` union all `)}) ${inOrder}`),
    what,
  );
}

/** Asserts that each listing is in the tab of My Sells that it belongs in, and that the numbers of the tabs agree. */
export async function assertTabsMatch(db: Db, what: string) {
  const misplaced = await db.all(sql`select phones.id, phones.status, phones.tab, listing_tabs.tab as expected
    from phones join listing_tabs using (id) where phones.tab is not listing_tabs.tab`);
  assert.deepEqual(misplaced, [], what);
  assert.deepEqual(
    await db.all(sql`select seller_id, tab, listings from tab_counts where listings <> 0 order by 1, 2`),
    await db.all(
      sql`select seller_id, tab, count(*) as listings from phones where tab is not null group by 1, 2 order by 1, 2`,
    ),
    what,
  );
}
