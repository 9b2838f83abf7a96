import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { type Account, addAccount, addPhone } from "./fixtures.ts";

type Device = Parameters<typeof addPhone>[1] & { brandName: string; model: string };

interface Sides {
  buyer?: Account;
  seller?: Account;
}

/** Adds a received order of a device, by default between two new accounts that have confirmed their address. */
export async function addSale(
  db: Db,
  device: Device,
  priceCents: number,
  { buyer, seller, ...order }: Partial<typeof orders.$inferInsert> & Sides = {},
): Promise<Required<Sides>> {
  const emailVerifiedAt = new Date(0);
  const bought = buyer ?? (await addAccount(db, { emailVerifiedAt }));
  const sold = seller ?? (await addAccount(db, { emailVerifiedAt, userType: "Seller" }));
  const phone = await addPhone(db, { ...device, sellerId: sold.id });
  await db.update(phones).set({ status: "sold" }).where(eq(phones.id, phone.id));
  await db.insert(orders).values({
    ...{ phoneId: phone.id, buyerId: bought.id, productName: `${device.brandName} ${device.model}` },
    ...{ ram: phone.ram, rom: phone.rom, buyerName: "", buyerAddress: "", email: "", phoneNumber: "" },
    ...{ priceCents, stage: "received" },
    ...order,
  });
  return { buyer: bought, seller: sold };
}

/** Adds a sale at each price, and lets the job compute the usual price. */
export async function addSales(db: Db, device: Device, prices: number[]) {
  for (const cents of prices) await addSale(db, device, cents);
  await refreshUsualPrices(db);
}
