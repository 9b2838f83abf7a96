import { and, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { PayoutState } from "#app/db/enums.ts";
import { payoutAccounts, users } from "#app/db/schema.ts";
import type { Environment } from "#app/server/config/environment.server.ts";
import { canBePaid } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { PublisherPayouts } from "../listings/listing.schema.ts";
import { selectDebts } from "./protected-orders.server.ts";
import { hasProvider, type PaymentProvider, ProviderError } from "./provider.ts";

/** Whether a seller can be paid. What is not ready yet is looked up at the provider, if it answers. */
export async function findPayoutState(
  db: Db,
  provider: PaymentProvider,
  seller: Viewer,
): Promise<PayoutState> {
  const account = await findAccount(db, seller);
  if (!account) return "to do";
  if (account.state === "ready") return "ready";
  try {
    return await refreshPayoutAccount(db, provider, account.accountId);
  } catch (error) {
    if (error instanceof ProviderError) return account.state;
    throw error;
  }
}

/** How far a seller who publishes is with payouts; null in a market without a provider. */
export async function payoutsOfPublisher(
  db: Db,
  environment: Pick<Environment, "STRIPE_SECRET_KEY" | "PAYOUTS_REQUIRED">,
  seller: Viewer,
): Promise<PublisherPayouts | null> {
  if (!hasProvider(environment)) return null;
  if ((await db.$count(users, and(eq(users.id, seller.id), canBePaid(db, seller.id)))) > 0) return "ready";
  return environment.PAYOUTS_REQUIRED ? "required" : "possible";
}

/** What a seller owes, in cents: it was paid back to buyers, and the provider could not take it back. */
export async function findSellerDebt(db: Db, seller: Viewer): Promise<number> {
  const debts = await selectDebts(db, seller.id);
  return debts.reduce((sum, { cents }) => sum + cents, 0);
}

/** Stores an account's state as the provider knows it. */
export async function refreshPayoutAccount(
  db: Db,
  provider: PaymentProvider,
  accountId: string,
): Promise<PayoutState> {
  const state = await provider.accountState(accountId);
  await db
    .update(payoutAccounts)
    .set({ state, updatedAt: new Date() })
    .where(eq(payoutAccounts.accountId, accountId));
  return state;
}

/**
 * The provider's page where a seller sets up payouts. However often they ask, there is one account.
 *
 * @throws ProviderError
 */
export async function setUpPayouts(
  db: Db,
  provider: PaymentProvider,
  seller: Viewer,
  returnUrl: string,
): Promise<string> {
  const known = await findAccount(db, seller);
  const { accountId, url } = await provider.onboard({
    key: `payouts ${seller.id}`,
    userId: seller.id,
    accountId: known?.accountId ?? null,
    returnUrl,
  });
  if (!known)
    await db
      .insert(payoutAccounts)
      .values({ userId: seller.id, accountId, state: "to do", updatedAt: new Date() })
      .onConflictDoNothing();
  return url;
}

async function findAccount(db: Db, { id }: Viewer) {
  const [account] = await db.select().from(payoutAccounts).where(eq(payoutAccounts.userId, id));
  return account ?? null;
}
