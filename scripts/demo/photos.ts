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

/** Listings that are worked on at a time; more do not help. */
const concurrency = 4;

/**
 * Adds the photographs of the demo data to its listings, as their sellers do. They are rendered: see docs/decisions/0014-rendered-photographs.md.
 *
 * @throws Error if a photograph is refused
 */
export async function addDemoPhotos(db: Db, storage: PhotoStorage): Promise<void> {
  const queue = photographed.values();
  const worker = async () => {
    for (const { slug, rom } of queue) await addPhotosTo(db, storage, slug, rom);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function addPhotosTo(db: Db, storage: PhotoStorage, slug: string, rom: string): Promise<void> {
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
  if (!listing) throw new Error(`The demo data has photographs but no listing of "${slug}" with ${rom}`);
  const files = await Promise.all(
    photoFiles(slug, rom).map(async (file) => new File([await readFile(file)], basename(file))),
  );
  const target = listingForPhotos(db, listing.seller, listing.id);
  const { refusals } = await addPhotos(db, target, { files, storage, reference: "demo data" });
  if (refusals.length > 0) throw new Error(refusals.join("\n"));
}
