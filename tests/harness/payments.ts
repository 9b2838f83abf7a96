import { type PaymentProviderServer, startPaymentProvider } from "../../scripts/demo/payment-provider.ts";
import { startServer, type TestServer } from "./server.ts";

export type ServerWithPayments = TestServer & { provider: PaymentProviderServer };

/** Serves the deployed build with what stands in for Stripe, which sends it its events. */
export async function startServerWithPayments(settings = {}): Promise<ServerWithPayments> {
  const provider = await startPaymentProvider();
  try {
    const server = await startServer({
      bindings: { ENVIRONMENT: "local", ...provider.bindings, ...settings },
    });
    provider.sendEventsTo(new URL("/payments/events", server.url).href);
    return {
      ...server,
      provider,
      stop: async () => void (await Promise.all([server.stop(), provider.stop()])),
    };
  } catch (error) {
    await provider.stop();
    throw error;
  }
}

/** Presses a button on a page of the provider. @returns where it leads */
export async function choose(url: string | null, choice: string): Promise<URL> {
  const body = new URLSearchParams({ choice });
  const response = await fetch(url ?? "", { method: "POST", body, redirect: "manual" });
  return new URL(response.headers.get("Location") ?? "", url ?? "");
}
