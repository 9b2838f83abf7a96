import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariants, searchWords } from "#app/db/schema.ts";
import { deviceCategory } from "./category.rules.ts";
import { correctableWords, type Device, modelSlug, searchText } from "./device-variant.rules.ts";

/**
 * Statements that make sure a device's variant is there. They go before the one that writes the listing, in the same
 * batch: a trigger gives the listing its variant.
 */
export function deviceVariantStatements(db: Db, device: Device) {
  const words = JSON.stringify(correctableWords(`${device.brandName} ${device.model} ${device.processor}`));
  return [
    db
      .insert(deviceVariants)
      .values({
        category: deviceCategory(device),
        brand: device.brandName,
        model: device.model,
        processor: device.processor,
        rom: device.rom,
        ram: device.ram,
        modelSlug: modelSlug(device),
        searchText: searchText(device),
      })
      .onConflictDoNothing(),
    db
      .insert(searchWords)
      .select(sql`select null, value from json_each(${words}) where true`)
      .onConflictDoNothing(),
  ] as const;
}
