import { hash } from "bcryptjs";
import { inArray } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import {
  contentReports,
  conversationParticipants,
  conversations,
  listingViews,
  messages,
  orderSteps,
  orders,
  pageVersions,
  payoutAccounts,
  phones,
  priceChanges,
  reviews,
  savedListings,
  users,
} from "#app/db/schema.ts";
import { deviceVariantStatements } from "#app/features/listings/device-variants.server.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { aboutSlug } from "#app/features/pages/page-slugs.ts";
import { suggestPages } from "#app/features/pages/suggested-pages.server.ts";
import { storeDailyNumbers } from "#app/features/statistics/numbers.server.ts";
import { dayMs } from "#app/time.ts";
import type { LocalState } from "../local-state.ts";
import { catalog } from "./catalog.ts";
import { demoConversations } from "./conversations.ts";
import { demoListings, demoSellers } from "./listings.ts";
import { type DemoReview, demoReviews } from "./reviews.ts";
import { conversationRows, phoneRow, reviewRow, saleRows } from "./rows.ts";
import { demoPriceCuts, demoSales } from "./sales.ts";
import { demoAccountPrefix } from "./stripe-objects.ts";

export const demoPassword = "ringback1";
export const demoAccounts = [
  "buyer@example.com",
  "seller@example.com",
  "moderator@example.com",
  "admin@example.com",
] as const;
export const demoAccountsText = `Demo accounts, password ${demoPassword}:\n  ${demoAccounts.join("\n  ")}`;

/** Whether the demo data may be inserted: only into databases on this machine. */
export function allowsDemoData({ bindings }: LocalState): boolean {
  if (!bindings.LIBSQL_URL) return true;
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(bindings.LIBSQL_URL).hostname);
}

/** What a suggested page leaves to the operator, other than a link: "[18]". */
const blank = /\[[^\]]+\](?!\()/g;

/** What the demo market fills in. */
const filledIn: Record<string, string> = {
  "[18]": "18",
  "[What you are liable for, and what not.]":
    "We’re liable for what we promise here. For what a seller says and sells, the seller is.",
  "[Which law applies, and which court decides.]": `The law of the place where ${brand.company} is registered applies, and its courts decide.`,
  "[your data protection authority]": "your data protection authority",
  "[Name and address of your privacy contact.]": "Our privacy contact is privacy@ringback.example.",
};

/**
 * Inserts the demo data into a database without accounts.
 *
 * @returns false if the database has accounts
 */
export async function seedDemoData(db: Db, { now = new Date(), isProtected = false } = {}): Promise<boolean> {
  const [someone] = await db.select({ id: users.id }).from(users).limit(1);
  if (someone) return false;

  // One hash for all, since hashing is slow.
  const passwordHash = await hash(demoPassword, 10);
  const signedUp = (daysAgo: number) => {
    const createdAt = new Date(now.getTime() - daysAgo * dayMs);
    const id = timeOrderedId({ msecs: createdAt.getTime() });
    return { id, passwordHash, emailVerifiedAt: createdAt, createdAt };
  };
  const sellers = demoSellers.map(({ name, email, verified }, index) => ({
    ...signedUp(400 - 30 * index),
    name,
    email,
    userType: "Seller" as const,
    verified,
  }));
  const others = [
    { name: "Robin Buyer", email: "buyer@example.com", userType: "Buyer" as const, daysAgo: 24 },
    {
      name: "Ottilie Brandvold",
      email: "ottilie.brandvold@example.com",
      userType: "Buyer" as const,
      daysAgo: 190,
    },
    {
      name: "Teodor Halloran",
      email: "teodor.halloran@example.com",
      userType: "Buyer" as const,
      daysAgo: 220,
    },
    { name: "Maribel Quist", email: "maribel.quist@example.com", userType: "Buyer" as const, daysAgo: 260 },
    {
      name: "Mika Watchman",
      email: "moderator@example.com",
      userType: "Buyer" as const,
      daysAgo: 300,
      moderatorSince: new Date(now.getTime() - 200 * dayMs),
    },
    { name: "Alex Keeper", email: "admin@example.com", userType: "Admin" as const, daysAgo: 400 },
  ].map(({ daysAgo, moderatorSince = null, ...account }) => ({
    ...account,
    ...signedUp(daysAgo),
    verified: false,
    moderatorSince,
  }));
  const sellerIds = new Map(sellers.map(({ email, id }) => [email, id]));
  const models = new Map(catalog.map((model) => [model.slug, model]));
  const sales = demoSales.map((sale, index) => {
    const seller = sellers[index % sellers.length];
    // The demo buyer gets one order, so that My Orders is not empty.
    const buyer = others[index === 0 ? 0 : 1 + (index % 3)];
    if (!seller || !buyer) throw new Error("A sale of the demo data has no seller or buyer");
    return saleRows(sale, find(models, sale.slug), seller.id, buyer, now);
  });
  // Oldest first, so that ids ascend with time; listings of one day are a minute apart.
  const listings = demoListings
    .toSorted((one, other) => other.daysAgo - one.daysAgo)
    .map((listing, index, all) => {
      const minutes = (all.length - index) * 60_000;
      const posted = new Date(now.getTime() - listing.daysAgo * dayMs - minutes);
      return phoneRow(listing, find(models, listing.slug), find(sellerIds, listing.sellerEmail), posted);
    });

  const reviewRows = sales.map((sale, index) =>
    reviewRow(
      sale,
      demoReviews[(index + Math.floor(index / demoReviews.length)) % demoReviews.length] as DemoReview,
    ),
  );

  const priceCuts = demoPriceCuts.flatMap(([slug, rom, firstPrice]) => {
    const image = `/devices/${slug}.svg`;
    const listing = listings.find((row) => row.image === image && row.rom === rom);
    if (!listing) throw new Error(`The demo data has a price cut but no listing of "${slug}"`);
    const createdAt = new Date((listing.createdAt.getTime() + now.getTime()) / 2);
    return { phoneId: listing.id, oldCents: firstPrice * 100, newCents: listing.sellingCents, createdAt };
  });
  // The demo buyer has saved three listings, one of them before its price was cut.
  const [demoBuyer] = others;
  const cuts = priceCuts.slice(0, 1).map(({ phoneId, oldCents }) => ({ phoneId, priceCents: oldCents }));
  const newest = listings
    .slice(-2)
    .map(({ id, sellingCents }) => ({ phoneId: id, priceCents: sellingCents }));
  const saved = [...cuts, ...newest].map((row) => ({ ...row, userId: demoBuyer?.id ?? "", createdAt: now }));
  const conversationInserts = demoConversations.map((conversation) => {
    const listing = listings.find(({ image }) => image === `/devices/${conversation.slug}.svg`);
    const buyer = others.find(({ name }) => name === conversation.buyerName);
    if (!listing || !buyer) throw new Error("A conversation of the demo data has no listing or buyer");
    return conversationRows(conversation, listing, buyer.id, now);
  });
  // One open report, so that the moderators' queue is not empty.
  const reported = listings[0];
  const reporter = others.find(({ name }) => name === "Maribel Quist");
  if (!reported || !reporter) throw new Error("The report of the demo data has no listing or reporter");
  const report = {
    targetKind: "listing" as const,
    targetId: reported.id,
    ownerId: reported.sellerId,
    reporterId: reporter.id,
    reason: "misleading" as const,
    details: "When I asked about it, the seller described a different phone.",
    createdAt: new Date(now.getTime() - dayMs),
  };
  const admin = others.find(({ userType }) => userType === "Admin");
  // Without those that still have [something] to fill in.
  const pages = suggestPages(isProtected)
    .map((page) => ({ ...page, body: page.body.replace(blank, (text) => filledIn[text] ?? text) }))
    .filter(({ slug, body }) => slug !== aboutSlug && body.search(blank) < 0);
  const published = { kind: "page", state: "published", authorId: admin?.id ?? "", createdAt: now } as const;
  const inserts = [
    // One statement for each account, since D1 allows 100 parameters a statement.
    ...[...sellers, ...others].map((account) => db.insert(users).values(account)),
    ...[...sales.map(({ phone }) => phone), ...listings]
      .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
      .flatMap((row) => [...deviceVariantStatements(db, row), db.insert(phones).values(row)]),
    ...sales.flatMap(({ phone, order, steps }) => [
      db.insert(orders).values({ ...order, soldById: phone.sellerId }),
      db.insert(orderSteps).values(steps),
    ]),
    ...reviewRows.map((row) => db.insert(reviews).values(row)),
    db.insert(priceChanges).values(priceCuts),
    db.insert(savedListings).values(saved),
    // D1 allows 100 parameters a statement.
    db
      .insert(listingViews)
      .values(listings.slice(-45).map(({ id }, index) => ({ phoneId: id, views: 3 + ((index * 17) % 41) }))),
    db.insert(contentReports).values(report),
    ...pages.map((page) => db.insert(pageVersions).values({ ...page, ...published })),
    ...conversationInserts.flatMap((rows) => [
      db.insert(conversations).values(rows.conversation),
      db.insert(conversationParticipants).values(rows.participants),
      db.insert(messages).values(rows.messages),
    ]),
  ];
  await db.batch(inserts as [(typeof inserts)[number], ...typeof inserts]);
  // Otherwise there are no numbers and usual prices until the first run of the job.
  await storeDailyNumbers(db, Number.MAX_SAFE_INTEGER);
  await refreshUsualPrices(db);
  return true;
}

/** Makes the sellers of the demo data ready to be paid by what stands in for Stripe. */
export async function setUpDemoPayouts(db: Db): Promise<void> {
  const emails = demoSellers.map(({ email }) => email);
  const found = await db.select({ userId: users.id }).from(users).where(inArray(users.email, emails));
  if (found.length === 0) return;
  const ready = { state: "ready", updatedAt: new Date() } as const;
  await db
    .insert(payoutAccounts)
    .values(found.map(({ userId }) => ({ userId, accountId: `${demoAccountPrefix}${userId}`, ...ready })))
    .onConflictDoNothing();
}

function find<Value>(map: Map<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The demo data has no "${key}"`);
  return value;
}
