import type { Environment } from "#app/server/config/environment.server.ts";
import type { PaymentProvider } from "./provider.ts";

type Settings = Pick<Environment, "STRIPE_SECRET_KEY" | "STRIPE_WEBHOOK_SECRET" | "STRIPE_API_ORIGIN">;

/** The market's payment provider, loaded on demand. @returns null if the market has none */
export async function paymentProvider(settings: Settings): Promise<PaymentProvider | null> {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_ORIGIN } = settings;
  if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET) return null;
  const { stripeProvider } = await import("./stripe.server.ts");
  return stripeProvider({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    apiOrigin: STRIPE_API_ORIGIN ?? null,
  });
}
