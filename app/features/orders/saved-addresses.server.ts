import { and, desc, eq, ne, not, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { savedAddresses } from "#app/db/schema.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { anotherAddress, type BookingDetails, maxAddresses, pickUpChoice } from "./booking.schema.ts";

export type SavedAddress = Awaited<ReturnType<typeof listAddresses>>[number];

/** The delivery addresses that a viewer has saved, the newest first. */
export function listAddresses(db: Db, viewer: Viewer) {
  return db
    .select({ id: savedAddresses.id, address: savedAddresses.address, phone: savedAddresses.phone })
    .from(savedAddresses)
    .where(eq(savedAddresses.userId, viewer.id))
    .orderBy(desc(savedAddresses.id));
}

/** Where a booking goes: to a saved address, to what was entered, or nowhere; null if the saved one is gone. */
export async function chosenDelivery(
  db: Db,
  viewer: Viewer,
  { savedAddress = anotherAddress, address, phone }: BookingDetails & { savedAddress?: string },
): Promise<BookingDetails | null> {
  if (savedAddress === pickUpChoice) return { address: "", phone: "" };
  if (savedAddress === anotherAddress) return { address, phone };
  const saved = (await listAddresses(db, viewer)).find(({ id }) => id === savedAddress);
  return saved ? { address: saved.address, phone: saved.phone } : null;
}

/** Saves a delivery address, once; returns why it was refused. */
export function addSavedAddress(db: Db, viewer: Viewer, { address, phone }: BookingDetails) {
  const isOwn = eq(savedAddresses.userId, viewer.id);
  const isSame = and(isOwn, eq(savedAddresses.address, address), eq(savedAddresses.phone, phone));
  const isBelowLimit = sql`(select count(*) from ${savedAddresses} where ${isOwn}) < ${maxAddresses}`;
  return batchUnless(
    db,
    {
      "account closed": isOpenAccount(db, viewer),
      "too many": or(isBelowLimit, hasRow(db, savedAddresses, isSame)),
    },
    [db.insert(savedAddresses).values({ userId: viewer.id, address, phone }).onConflictDoNothing()],
  );
}

/** Changes a saved address; returns why it was refused. Orders that were sent there keep it. */
export function changeSavedAddress(db: Db, viewer: Viewer, id: string, { address, phone }: BookingDetails) {
  const isOwn = eq(savedAddresses.userId, viewer.id);
  const isChanged = and(isOwn, eq(savedAddresses.id, id));
  const isSame = and(
    isOwn,
    ne(savedAddresses.id, id),
    eq(savedAddresses.address, address),
    eq(savedAddresses.phone, phone),
  );
  return batchUnless(
    db,
    {
      unknown: hasRow(db, savedAddresses, isChanged),
      "saved already": not(hasRow(db, savedAddresses, isSame)),
    },
    [db.update(savedAddresses).set({ address, phone }).where(isChanged)],
  );
}

export const addressRefusals = {
  unknown: "You’ve deleted this address.",
  "saved already": "You’ve already saved this address.",
  "too many": `You’ve saved ${maxAddresses} addresses. Delete one to add another.`,
  "account closed": "Your account has been closed.",
};

/** Deletes a saved address; false if the viewer has no such address. */
export async function deleteAddress(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const gone = await db
    .delete(savedAddresses)
    .where(and(eq(savedAddresses.id, id), eq(savedAddresses.userId, viewer.id)))
    .returning({ id: savedAddresses.id });
  return gone.length > 0;
}
