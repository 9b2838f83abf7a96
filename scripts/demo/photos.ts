import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { and, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { viewerColumns } from "#app/features/accounts/accounts.server.ts";
import { addPhotos, listingForPhotos } from "#app/features/photos/photo-changes.server.ts";
import type { PhotoStorage } from "#app/features/photos/photo-objects.server.ts";
import { photoFiles } from "./photographs/photographs.ts";
import { photographed } from "./photographs/shots.ts";

/**
 * Adds the photographs of the demo data to its listings, as their sellers do. They are rendered: see docs/decisions/0014-rendered-photographs.md.
 * Those that are there already are not added again.
 *
 * @param signal ends it after the listing that is worked on
 * @throws Error that names each photograph that was refused
 */
export async function addDemoPhotos(db: Db, storage: PhotoStorage, signal?: AbortSignal): Promise<void> {
  const refusals: string[] = [];
  // One by one: more at a time slow the build down that runs beside them.
  for (const { slug, rom } of photographed) {
    if (signal?.aborted) break;
    refusals.push(...(await addPhotosTo(db, storage, slug, rom)));
  }
  if (refusals.length > 0) throw new Error(refusals.join(" "));
}

async function addPhotosTo(db: Db, storage: PhotoStorage, slug: string, rom: string): Promise<string[]> {
  const isListing = and(
    eq(phones.image, `/devices/${slug}.svg`),
    eq(phones.rom, rom),
    eq(phones.status, "available"),
  );
  const [listing] = await db
    .select({ id: phones.id, seller: viewerColumns })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(isListing);
  // Sold or taken down since the first start.
  if (!listing) return [];
  const files = await Promise.all(
    photoFiles(slug, rom).map(async (file) => new File([await readFile(file)], basename(file))),
  );
  const target = listingForPhotos(db, listing.seller, listing.id);
  const { refusals } = await addPhotos(db, target, { files, storage, reference: "demo data" });
  return refusals;
}
