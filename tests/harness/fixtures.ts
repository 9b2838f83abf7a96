import { hashSync } from "bcryptjs";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orderProblems, phones, users } from "#app/db/schema.ts";
import { findAccount } from "#app/features/accounts/accounts.server.ts";
import { issueOneTimeToken } from "#app/features/accounts/one-time-tokens.server.ts";
import { removeUser as removeByStaff } from "#app/features/administration/user-actions.server.ts";
import { deviceVariantStatements, listedSpellingOf } from "#app/features/listings/device-variants.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { bookWithoutLimits } from "./bookings.ts";

export const password = "secret1";

let added = 0;
let passwordHash: string | undefined;

/** Adds an account with `password`, a buyer by default. */
export async function addAccount(db: Db, account: Partial<typeof users.$inferInsert> = {}) {
  added += 1;
  // Hashed once, at bcrypt's lowest cost, to save time.
  passwordHash ??= hashSync(password, 4);
  const [row] = await db
    .insert(users)
    .values({
      name: `Person ${added}`,
      email: `person${added}@example.com`,
      userType: "Buyer",
      passwordHash,
      ...account,
    })
    .returning();
  if (!row) throw new Error("The account was not added.");
  return row;
}

export type Phone = Awaited<ReturnType<typeof addPhone>>;

/** Adds a listing, of a new seller by default. */
export async function addPhone(db: Db, phone: Partial<typeof phones.$inferInsert> = {}) {
  added += 1;
  const sellerId = phone.sellerId ?? (await addAccount(db, { userType: "Seller" })).id;
  const values = {
    brandName: "Fairphone",
    model: `Model ${added}`,
    ram: "8 GB",
    rom: "256 GB",
    image: "/devices/fairphone-5.svg",
    camera: "50 MP wide",
    processor: "Qualcomm QCM6490",
    battery: "4200 mAh",
    os: "Android",
    deviceType: "Smart Phone",
    sellingReason: "One phone is enough.",
    marketCents: 69_900,
    sellingCents: 34_950,
    postDate: "2026-11-20",
    usedTime: "14",
    ...phone,
    sellerId,
  } as const;
  const [, , , [row]] = await db.batch([
    ...deviceVariantStatements(db, values),
    db
      .insert(phones)
      .values({ ...values, brandName: listedSpellingOf(values.brandName) })
      .returning(),
  ]);
  if (!row) throw new Error("The phone was not added.");
  // Without the columns that the database fills, so that the result can be inserted again.
  const { number, variantId, sellerVerified, listed, category, savingCents, tab, views, ...listing } = row;
  return listing;
}

/** Adds copies of a listing, each with its own changes. */
export async function addCopies(db: Db, { id: _, ...phone }: Phone, changes: Partial<Phone>[]) {
  const rows = changes.map((values) => ({ ...phone, ...values }));
  const insert = (at: number) => db.insert(phones).values(rows.slice(at, at + 2));
  // A statement has at most 100 parameters.
  const inserts = rows.flatMap((_row, at) => (at % 2 === 0 ? [insert(at)] : []));
  for (let at = 0; at < inserts.length; at += 100) {
    await db.batch(inserts.slice(at, at + 100) as [(typeof inserts)[number]]);
  }
}

export async function editPhone(db: Db, id: string, values: Partial<typeof phones.$inferInsert>) {
  const [row] = await db.select().from(phones).where(eq(phones.id, id));
  if (!row) throw new Error("There is no such phone.");
  const edited = { ...row, ...values };
  await db.batch([
    ...deviceVariantStatements(db, edited),
    db
      .update(phones)
      .set({ ...values, brandName: listedSpellingOf(edited.brandName) })
      .where(eq(phones.id, id)),
  ]);
}

export type Account = typeof users.$inferSelect;

/** Adds an order that its buyer has received. */
export async function addReceivedOrder(db: Db, buyer: Account, seller: Account): Promise<string> {
  const phone = await addPhone(db, { sellerId: seller.id });
  const booking = await bookWithoutLimits(db, buyer, phone.id, {
    address: "1 Harbour Street",
    phone: "12345",
  });
  if (booking.refusal) throw new Error(booking.refusal.reason);
  await handOver(db, seller, booking.orderId);
  const { refusal } = await recordReceipt(db, buyer, booking.orderId);
  if (refusal) throw new Error(refusal);
  return booking.orderId;
}

/**
 * Adds a received order of which the buyer says that something is missing.
 *
 * @param isAsked whether the buyer has asked the moderators
 */
export async function addProblem(
  db: Db,
  { buyer, seller, isAsked = false }: { buyer?: Account; seller?: Account; isAsked?: boolean } = {},
) {
  const owner = seller ?? (await addAccount(db, { userType: "Seller" }));
  const opener = buyer ?? (await addAccount(db));
  const orderId = await addReceivedOrder(db, opener, owner);
  await openProblem(db, opener, orderId, { kind: "something missing", text: "The charger." });
  if (isAsked) await answerProblem(db, opener, orderId, { answer: "ask", text: "" });
  const problem = async () => {
    const [row] = await db.select().from(orderProblems).where(eq(orderProblems.orderId, orderId));
    if (!row) throw new Error("The problem was not opened.");
    return row;
  };
  return { orderId, buyer: opener, seller: owner, problem };
}

/** Deletes a user as staff does. @returns the id to undo it; null if it is refused */
export async function removeUser(db: Db, admin: Account, userId: string): Promise<string | null> {
  return (await removeByStaff(db, admin, userId)).removalId ?? null;
}

/** Issues the token of an email with a password link; null if there is none. */
export async function beginRecovery(db: Db, email: string): Promise<{ token: string } | null> {
  const account = await findAccount(db, email);
  const token = account && (await issueOneTimeToken(db, "recovery", account.id));
  return token ? { token } : null;
}

/** Issues the token of an email that confirms an address; null if there is none. */
export async function beginVerification(db: Db, { id }: { id: string }): Promise<{ token: string } | null> {
  const token = await issueOneTimeToken(db, "verification", id);
  return token ? { token } : null;
}

/** What a listing says of its details when the seller has stated none. */
export const noDetails = { scratches: null, repairs: null, inTheBox: null, delivery: null, city: null };
