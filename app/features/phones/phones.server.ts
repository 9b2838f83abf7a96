import { and, asc, desc, eq, gt, inArray, isNull, lt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Slice } from "#app/db/page.ts";
import { phones, revisions, users } from "#app/db/schema.ts";
import type { PageMark } from "./page-mark.rules.ts";
import type { Shelf } from "./shelf.rules.ts";

/** Cards on one page of a shelf. */
export const pageSize = 24;

const cardColumns = {
  id: phones.id,
  brandName: phones.brandName,
  model: phones.model,
  ram: phones.ram,
  rom: phones.rom,
  image: phones.image,
  marketCents: phones.marketCents,
  sellingCents: phones.sellingCents,
  deviceType: phones.deviceType,
  status: phones.status,
  sellerVerified: users.verified,
  condition: phones.condition,
};

const detailColumns = {
  ...cardColumns,
  os: phones.os,
  camera: phones.camera,
  processor: phones.processor,
  battery: phones.battery,
  sellingReason: phones.sellingReason,
  postDate: phones.postDate,
  usedTime: phones.usedTime,
  sellerName: users.name,
  batteryHealth: phones.batteryHealth,
};

const { condition: _, batteryHealth: __, ...specifiedColumns } = detailColumns;

/** A listing with everything that the specification has it say. */
export const listingColumns = { ...specifiedColumns, sellerEmail: users.email };

/** What a card shows; prices in cents. */
export type PhoneCardData = Awaited<ReturnType<typeof listPhones>>["phones"][number];

/** What the details show; prices in cents. */
export type PhoneDetails = NonNullable<Awaited<ReturnType<typeof findPhone>>>;

/**
 * One page of a shelf, newest first. Sold phones are off the shelf; reserved ones stay.
 *
 * @returns the page's phones, and the marks of the pages around it where there are any
 */
export async function listPhones(db: Db, shelf: Shelf, mark: PageMark) {
  const backwards = mark !== null && "before" in mark;
  const rows = await db
    .select(cardColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(
      and(
        onShelf(shelf.only),
        mark && "before" in mark ? gt(phones.id, mark.before) : undefined,
        mark && "after" in mark ? lt(phones.id, mark.after) : undefined,
      ),
    )
    .orderBy(backwards ? asc(phones.id) : desc(phones.id))
    // One more than a page tells whether there is a further one.
    .limit(pageSize + 1);

  const more = rows.length > pageSize;
  const page = rows.slice(0, pageSize);
  if (backwards) page.reverse();
  const first = page.at(0)?.id;
  const last = page.at(-1)?.id;
  return {
    phones: page,
    previous: (backwards ? more : mark !== null) ? (first ?? null) : null,
    next: (backwards ? true : more) ? (last ?? null) : null,
  };
}

/** A listing with everything it says, and whose it is; prices in cents. */
export type Listing = Awaited<ReturnType<typeof phonesAfter>>[number];

/** A stretch of a shelf, newest first, with everything the listings say. */
export function phonesAfter(db: Db, only: Shelf["only"], { after, limit }: Slice) {
  return db
    .select(listingColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(onShelf(only), after ? lt(phones.id, after) : undefined))
    .orderBy(desc(phones.id))
    .limit(limit);
}

/** A mark that changes whenever anything on any shelf does. */
export async function shelfRevision(db: Db): Promise<string> {
  const [revision] = await db
    .select({ mark: revisions.mark })
    .from(revisions)
    .where(eq(revisions.name, "phones"));
  return revision?.mark ?? "empty";
}

/** A phone with everything its details show, or null; a sold one is still found. */
export async function findPhone(db: Db, id: string) {
  const [phone] = await db
    .select(detailColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(eq(phones.id, id), isNull(phones.removalId)));
  return phone ?? null;
}

function onShelf(only: Shelf["only"]) {
  return and(
    inArray(phones.status, ["available", "reserved"]),
    isNull(phones.removalId),
    only.os && eq(phones.os, only.os),
    only.deviceType && eq(phones.deviceType, only.deviceType),
  );
}
