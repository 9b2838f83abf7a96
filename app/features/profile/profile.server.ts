import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { shopTextQuestion } from "../listings/plausibility.rules.ts";
import { hasListingOrDraft, hasMySellings } from "../listings/sellings.server.ts";
import { buyerRecordColumn } from "../reviews/buyer-record.server.ts";
import type { BuyerRecord } from "../reviews/buyer-record.tsx";

interface Profile {
  addressVerified: boolean;
  hasPassword: boolean;
  /** Null for those who sell nothing. */
  shopText: string | null;
  /** In how many days buyers can change their mind about a protected order. */
  returnDays: number;
  /** Whether their devices are in the product feed of search engines. */
  inProductFeed: boolean;
  /** What sellers see of them as a buyer. */
  buyerRecord: BuyerRecord | null;
}

export async function findProfile(db: Db, viewer: Viewer): Promise<Profile> {
  const [account] = await db
    .select({
      emailVerifiedAt: users.emailVerifiedAt,
      passwordHash: users.passwordHash,
      shopText: users.shopText,
      returnDays: users.returnDays,
      inProductFeed: users.inProductFeed,
      sells: sql<boolean>`${hasListingOrDraft(db)}`.mapWith(Boolean).as("sells"),
      buyerRecord: buyerRecordColumn(sql`${viewer.id}`).as("buyer_record"),
    })
    .from(users)
    .where(eq(users.id, viewer.id));
  const sells = may(viewer, "see My Sells") || account?.sells;
  return {
    addressVerified: account?.emailVerifiedAt != null,
    hasPassword: account?.passwordHash != null,
    shopText: sells ? (account?.shopText ?? "") : null,
    returnDays: account?.returnDays ?? 0,
    inProductFeed: account?.inProductFeed ?? true,
    buyerRecord: account?.buyerRecord ?? null,
  };
}

/** Changes what is given of what a seller says on their page. @returns false for those who sell nothing */
export async function changeShop(
  db: Db,
  viewer: Viewer,
  {
    shopText,
    returnDays,
    inProductFeed,
  }: { shopText?: string; returnDays?: number | undefined; inProductFeed?: boolean | undefined },
  confirmed: readonly string[] = [],
): Promise<"saved" | "no shop" | NonNullable<ReturnType<typeof shopTextQuestion>>> {
  if (!(await hasMySellings(db, viewer))) return "no shop";
  // Loaded on demand: few requests need it.
  const { shopTextQuestion } = await import("../listings/plausibility.rules.ts");
  const question = shopText === undefined ? null : shopTextQuestion(shopText, confirmed);
  if (question) return question;
  const text = shopText === undefined ? undefined : shopText.trim() || null;
  if ([text, returnDays, inProductFeed].every((value) => value === undefined)) return "saved";
  await db
    .update(users)
    .set({ shopText: text, returnDays, inProductFeed })
    .where(and(eq(users.id, viewer.id), isNull(users.removalId)));
  return "saved";
}

export const noShopText = "You have no shop yet. List a device first.";

/** Changes the name of an account. Existing orders keep the old name. */
export async function changeName(db: Db, { id }: Viewer, name: string): Promise<void> {
  await db
    .update(users)
    .set({ name })
    .where(and(eq(users.id, id), isNull(users.removalId)));
}
