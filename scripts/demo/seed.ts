import { hash } from "bcryptjs";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import type { LocalState } from "../local-state.ts";
import { catalogue } from "./catalogue.ts";
import type { DeviceModel } from "./device-model.ts";
import { type DemoListing, demoListings, demoSellers } from "./listings.ts";

export const demoPassword = "ringback1";
export const demoAccounts = ["buyer@example.com", "seller@example.com", "admin@example.com"] as const;

/** Whether a market of this state is one for trying out: on this machine, whichever database it uses. */
export function holdsDemoData({ bindings }: LocalState): boolean {
  if (!bindings.LIBSQL_URL) return true;
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(bindings.LIBSQL_URL).hostname);
}

const day = 24 * 60 * 60 * 1000;

/**
 * Fills an empty database with the demo data; one that has accounts is left alone.
 *
 * @returns whether it was filled
 */
export async function seedDemoData(db: Db, now = new Date()): Promise<boolean> {
  const [someone] = await db.select({ id: users.id }).from(users).limit(1);
  if (someone) return false;

  // The demo accounts share one password, so they may share one hash.
  const passwordHash = await hash(demoPassword, 10);
  const since = new Date(now.getTime() - 400 * day);
  const sellers = demoSellers.map(({ name, email, verified }) => ({
    id: timeOrderedId({ msecs: since.getTime() }),
    name,
    email,
    passwordHash,
    userType: "Seller" as const,
    verified: verified ? ("yes" as const) : null,
    emailVerifiedAt: since,
    createdAt: since,
  }));
  const others = [
    { name: "Robin Buyer", email: "buyer@example.com", userType: "Buyer" as const },
    { name: "Alex Keeper", email: "admin@example.com", userType: "Admin" as const },
  ].map((account) => ({
    ...account,
    id: timeOrderedId({ msecs: since.getTime() }),
    passwordHash,
    verified: null,
    emailVerifiedAt: since,
    createdAt: since,
  }));
  const sellerIds = new Map(sellers.map(({ email, id }) => [email, id]));
  const models = new Map(catalogue.map((model) => [model.slug, model]));
  // Oldest first, so that keys ascend with time; the day's listings a minute apart.
  const listings = demoListings
    .toSorted((one, other) => other.daysAgo - one.daysAgo)
    .map((listing, index, all) => {
      const minutes = (all.length - index) * 60_000;
      const posted = new Date(now.getTime() - listing.daysAgo * day - minutes);
      return phoneRow(listing, find(models, listing.slug), find(sellerIds, listing.sellerEmail), posted);
    });

  const inserts = [
    db.insert(users).values([...sellers, ...others]),
    ...listings.map((row) => db.insert(phones).values(row)),
  ];
  await db.batch(inserts as [(typeof inserts)[number], ...typeof inserts]);
  return true;
}

function phoneRow(listing: DemoListing, model: DeviceModel, sellerId: string, posted: Date) {
  const launchPrice = model.storage.find(({ rom }) => rom === listing.rom)?.launchPrice;
  if (!launchPrice) throw new Error(`${model.slug} was not sold with ${listing.rom}`);
  return {
    id: timeOrderedId({ msecs: posted.getTime() }),
    sellerId,
    brandName: model.brandName,
    model: model.model,
    ram: model.ram,
    rom: listing.rom,
    image: `/devices/${model.slug}.svg`,
    camera: model.camera,
    processor: model.processor,
    battery: model.battery,
    os: model.os,
    deviceType: model.deviceType,
    sellingReason: listing.sellingReason,
    marketCents: launchPrice * 100,
    sellingCents: listing.sellingPrice * 100,
    postDate: posted.toISOString().slice(0, 10),
    usedTime: listing.usedTime,
    createdAt: posted,
  };
}

function find<Value>(map: Map<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The demo data names "${key}", which it does not have`);
  return value;
}
