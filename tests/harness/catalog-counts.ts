import assert from "node:assert/strict";
import { gt, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariants } from "#app/db/schema.ts";

/** Asserts that the counters of variants and categories equal a recount of the listed phones. */
export async function assertCountsMatch(db: Db, what: string) {
  const kept = await db
    .select({
      variantId: deviceVariants.id,
      listed: deviceVariants.listed,
      available: deviceVariants.available,
      verified: deviceVariants.verified,
      excellent: deviceVariants.excellent,
      good: deviceVariants.good,
      fair: deviceVariants.fair,
      battery80: deviceVariants.battery80,
      battery85: deviceVariants.battery85,
      battery90: deviceVariants.battery90,
    })
    .from(deviceVariants)
    .where(gt(deviceVariants.listed, 0))
    .orderBy(deviceVariants.id);
  const recount = await db.all<Record<string, number>>(sql`
    select device_variants.id as "variantId", count(*) as listed, sum(status = 'available') as available,
      sum(users.verified is 'yes') as verified, sum(condition is 'Excellent') as excellent,
      sum(condition is 'Good') as good, sum(condition is 'Fair') as fair,
      sum(coalesce(battery_health, 0) >= 80) as "battery80", sum(coalesce(battery_health, 0) >= 85) as "battery85",
      sum(coalesce(battery_health, 0) >= 90) as "battery90"
    from phones join users on users.id = seller_id
    join device_variants on (brand, device_variants.model, device_variants.processor, device_variants.rom, device_variants.ram) =
        (brand_name, phones.model, phones.processor, phones.rom, phones.ram)
      and device_variants.category = case when device_type = 'Tablet' then 'tablet' when os = 'Ios' then 'ios' else 'android' end
    where phones.removal_id is null and status in ('available', 'reserved')
    group by device_variants.id order by device_variants.id`);
  assert.deepEqual(kept, recount, what);
  const names = [
    "listed",
    "available",
    "verified",
    "excellent",
    "good",
    "fair",
    "battery_80",
    "battery_85",
    "battery_90",
  ];
  const counters = sql.raw(names.map((name) => `sum(${name}) as ${name}`).join(", "));
  const inCategories = await db.all(
    sql`select * from facet_counts where listed <> 0 and facet in ('all', 'brand') order by 1, 2, 3`,
  );
  const recounted = await db.all(sql`
    select * from (
      select 'products' as category, 'all' as facet, '' as value, ${counters} from device_variants
      union all select category, 'all', '', ${counters} from device_variants group by category
      union all select 'products', 'brand', brand, ${counters} from device_variants group by brand
      union all select category, 'brand', brand, ${counters} from device_variants group by category, brand
    ) where listed <> 0 order by 1, 2, 3`);
  assert.deepEqual(inCategories, recounted, what);
}
