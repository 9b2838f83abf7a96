import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { parseArguments } from "./arguments.ts";
import { tellStory } from "./payments-story.ts";

// Tells the story of an order to a test account at Stripe itself. Somebody does what its pages ask for.

parseArguments("payments:sandbox", {});

const secretKey = process.env.STRIPE_SECRET_KEY ?? "";
if (!/^(sk|rk)_test_/.test(secretKey)) {
  console.error(
    "Set STRIPE_SECRET_KEY to a key of a Stripe test account with Connect, which begins with sk_test_ or rk_test_.",
  );
  process.exit(1);
}

const provider = await paymentProvider({
  STRIPE_SECRET_KEY: secretKey,
  // No event is read.
  STRIPE_WEBHOOK_SECRET: "whsec_none",
  STRIPE_API_ORIGIN: undefined,
});
if (!provider) throw new Error("There is no provider.");
const hints = {
  ready: "Give its test details, such as the bank account 000123456789 with the routing number 110000000.",
  pay: "Pay with the card 4000 0000 0000 0077, whose money is available at once.",
};
await tellStory({
  provider,
  returnUrl: "https://example.com/",
  name: crypto.randomUUID(),
  act: async (url, choice) => console.log(`  ${url}\n  ${hints[choice]}`),
  pauseMs: 3_000,
  tell: (line) => console.log(line),
});
