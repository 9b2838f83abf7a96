import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { ageLabel } from "#app/time.ts";
import {
  type AttributeName,
  attributeNames,
  attributesWith,
  type DetailName,
  dottedFacts,
  recordOf,
  statedOnly,
} from "./attributes.ts";
import { placeLabel } from "./cities.rules.ts";
import { verifiedAndProtected } from "./status.rules.ts";

/** Brand and model of a row of `phones`. */
export const deviceNameColumn = sql<string>`${phones.brandName} || ' ' || ${phones.model}`;

/** The columns of some attributes. */
export function selectAttributes<Name extends AttributeName>(names: readonly Name[]) {
  return recordOf(names, (name) =>
    name in phones ? phones[name as ColumnName] : sql`${phones.details} ->> ${sql.raw(`'${name}'`)}`.as(name),
  ) as unknown as {
    [One in Name]: One extends ColumnName ? (typeof phones)[One] : SQL.Aliased<string | null>;
  };
}

type ColumnName = AttributeName & keyof typeof phones.$inferSelect;

/** Whether an attribute is stored in the column `details`. */
function isDetail(name: AttributeName): name is DetailName {
  return !(name in phones) || phones[name as ColumnName].generated !== undefined;
}

const detailNames = attributesWith("optional").filter(isDetail);

/** The columns of a listing that states nothing. */
export const emptyAttributeColumns = {
  ...recordOf(
    attributesWith("optional").filter((name) => !isDetail(name)),
    () => null,
  ),
  details: {},
};

/** The columns of what a seller states; Drizzle leaves out the attributes that have none. */
export function statedColumns<Facts extends { [Name in DetailName]?: string | null | undefined }>(
  facts: Facts,
) {
  const details = statedOnly(recordOf(detailNames, (name) => facts[name]));
  const others: Facts = { ...facts, ...recordOf(detailNames, () => null) };
  return { ...statedOnly(others), details };
}

/** Whether the seller has entered an IMEI. No other listing has the same. */
export const hasImeiColumn = isNotNull(phones.imeiHash).mapWith(Boolean).as("has_imei");

export const attributeColumns = selectAttributes(attributeNames);

/** The picture of a listing that may be removed. Its photos are deleted then. */
export const pictureColumns = {
  image: phones.image,
  cover: sql<string | null>`iif(${phones.hiddenById} is null, ${phones.cover}, null)`.as("shown_cover"),
  deviceType: phones.deviceType,
};

const shownColumns = {
  id: phones.id,
  brandName: phones.brandName,
  model: phones.model,
  ram: phones.ram,
  rom: phones.rom,
  condition: phones.condition,
  ...selectAttributes(attributesWith("onCard")),
  image: phones.image,
  cover: phones.cover,
  marketCents: phones.marketCents,
  sellingCents: phones.sellingCents,
  deviceType: phones.deviceType,
  status: phones.status,
  sellerVerified: phones.sellerVerified,
  returnDays: phones.returnDays,
};

export const cardColumns = { ...shownColumns, city: phones.city, createdAt: phones.createdAt };

export const tileColumns = {
  id: phones.id,
  brandName: phones.brandName,
  model: phones.model,
  ram: phones.ram,
  rom: phones.rom,
  image: phones.image,
  cover: phones.cover,
  deviceType: phones.deviceType,
  marketCents: phones.marketCents,
  sellingCents: phones.sellingCents,
  status: phones.status,
  condition: phones.condition,
};

export const detailColumns = {
  ...shownColumns,
  ...attributeColumns,
  sellingReason: phones.sellingReason,
  postDate: phones.postDate,
  sellerName: users.name,
};

const { cover: _, ...publishedColumns } = detailColumns;

export const listingColumns = { ...publishedColumns, sellerEmail: users.email };

/** The usual price of its model and storage, where a list reads it. */
interface UsualPrice {
  usualCents?: number | null;
}

export type ListingCardData = Pick<typeof phones.$inferSelect, keyof typeof cardColumns> & UsualPrice;

/** A card with the photo `cover` or, without one, the link `image`. Each list sends this data along with its markup. */
export type ListingCardContent = ReturnType<typeof cardContent>;

/** @param near the cities that the list asks for */
export function cardContent(
  { image, sellerVerified, returnDays, city, createdAt, ...phone }: ListingCardData,
  near: readonly string[],
) {
  const badge = sellerBadge(sellerVerified, returnDays !== null);
  return {
    ...statedOnly(phone),
    placeAndAge: dottedFacts([...(city ? [placeLabel(city, near)] : []), ageLabel(createdAt)]),
    ...(badge && { badge }),
    ...(image && !phone.cover && { image }),
  };
}

function sellerBadge(isVerified: boolean, isProtected: boolean): string | null {
  if (isVerified && isProtected) return verifiedAndProtected;
  return isVerified ? "Verified seller" : isProtected ? "Protected payment" : null;
}

export type ListingTileData = Pick<typeof phones.$inferSelect, keyof typeof tileColumns> & UsualPrice;

/** What the details show; prices in cents. */
export type PublishedListing = NonNullable<Awaited<ReturnType<typeof findPublishedListing>>>;

export async function findPublishedListing(db: Db, id: string) {
  const [phone] = await db
    .select(detailColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(eq(phones.id, id), isNull(phones.hiddenById)));
  return phone ?? null;
}
