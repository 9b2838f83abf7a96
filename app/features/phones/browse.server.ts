import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { type PhoneCardData, pageSize } from "./phones.server.ts";
import type { Shelf } from "./shelf.rules.ts";
import type { ShelfQuery } from "./shelf-query.rules.ts";

interface Choice {
  value: string;
  count: number;
}

/** A page of a shelf, and what can be chosen beside it. */
export interface ShelfPage {
  phones: PhoneCardData[];
  /** Marks of the pages around it. */
  previous: string | null;
  next: string | null;
  /** Matching phones, counted to 1,001 at most. */
  count: number;
  /** Values of the whole shelf with how many of its phones have each. */
  choices: { brands: Choice[]; storage: Choice[]; ram: Choice[]; verified: number; available: number };
}

/** What a visitor asks of a shelf. */
export async function browseShelf(db: Db, { only }: Shelf, query: ShelfQuery): Promise<ShelfPage> {
  const rows = await db
    .select({
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
    })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(
      and(
        inArray(phones.status, ["available", "reserved"]),
        isNull(phones.removalId),
        only.os && eq(phones.os, only.os),
        only.deviceType && eq(phones.deviceType, only.deviceType),
      ),
    )
    .orderBy(desc(phones.id));
  const words = query.words.toLowerCase().split(" ");
  const among = (chosen: string[], value: string) => chosen.length === 0 || chosen.includes(value);
  const matching = rows.filter(
    (row) =>
      words.every((word) => `${row.brandName} ${row.model}`.toLowerCase().includes(word)) &&
      among(query.brands, row.brandName) &&
      among(query.storage, row.rom) &&
      among(query.ram, row.ram) &&
      row.sellingCents >= (query.fromCents ?? 0) &&
      row.sellingCents <= (query.toCents ?? Number.POSITIVE_INFINITY) &&
      (!query.verifiedOnly || row.sellerVerified === "yes") &&
      (!query.availableOnly || row.status === "available"),
  );
  const saving = (row: PhoneCardData) => row.marketCents - row.sellingCents;
  if (query.order === "price-up") matching.sort((a, b) => a.sellingCents - b.sellingCents);
  if (query.order === "price-down") matching.sort((a, b) => b.sellingCents - a.sellingCents);
  if (query.order === "saving") matching.sort((a, b) => saving(b) - saving(a));
  const { mark } = query;
  const length = pageSize * (1 + query.more);
  const place = (id: string) => matching.findIndex((row) => row.id === id);
  let start = 0;
  if (mark && "after" in mark) start = place(mark.after) < 0 ? matching.length : place(mark.after) + 1;
  if (mark && "before" in mark) start = Math.max(0, place(mark.before) - pageSize);
  const page = matching.slice(start, start + length);
  const counted = (values: string[]) =>
    [...new Set(values)]
      .map((value) => ({ value, count: values.filter((other) => other === value).length }))
      .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
  const size = (value: string) => Number.parseFloat(value) * (value.includes("TB") ? 1024 : 1);
  const bySize = (values: string[]) => counted(values).sort((a, b) => size(a.value) - size(b.value));
  return {
    phones: page,
    previous: start > 0 ? (page[0]?.id ?? null) : null,
    next: start + length < matching.length ? (page.at(-1)?.id ?? null) : null,
    count: Math.min(matching.length, 1001),
    choices: {
      brands: counted(rows.map((row) => row.brandName)),
      storage: bySize(rows.map((row) => row.rom)),
      ram: bySize(rows.map((row) => row.ram)),
      verified: rows.filter((row) => row.sellerVerified === "yes").length,
      available: rows.filter((row) => row.status === "available").length,
    },
  };
}
