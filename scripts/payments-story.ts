import type { PaymentProvider } from "#app/features/payments/provider.ts";

interface Stage {
  provider: PaymentProvider;
  returnUrl: string;
  /** Unlike those of earlier stories. */
  name: string;
  /** What somebody does on a page of the provider; it may still be under way when this ends. */
  act(url: string, choice: "ready" | "pay"): Promise<unknown>;
  /** How long to wait before it is asked again what has become of that. */
  pauseMs: number;
  tell?(line: string): void;
}

/** Of what the buyer pays, the seller gets this much. */
const amounts = { paid: 900, part: 500 };

/**
 * The story of an order, with each kind of request that the product sends: a seller is set up, a buyer pays, the seller is
 * paid, that is taken back, and the buyer gets a part back.
 *
 * @throws ProviderError, and Error if something moves twice or is not listed
 */
export async function tellStory({ provider, returnUrl, name, act, pauseMs, tell = () => {} }: Stage) {
  const since = new Date(Date.now() - 60_000);
  const payBy = new Date(Date.now() + 3_600_000);
  const order = (orderId: string) =>
    provider.startPayment({
      key: orderId,
      orderId,
      amountCents: amounts.paid,
      productName: "iPhone",
      payBy,
      returnUrl,
    });
  async function until(isDone: () => Promise<boolean>) {
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  const { accountId, url } = await provider.onboard({ key: name, userId: name, accountId: null, returnUrl });
  await provider.accountState(accountId);
  tell("Set up the seller’s payouts:");
  await act(url, "ready");
  await until(async () => (await provider.accountState(accountId)) === "ready");
  tell("The seller can be paid.");

  const { checkoutId: ended } = await order(`${name} ended`);
  await provider.endPayment(ended);
  const orderId = `${name} paid`;
  const paid = await order(orderId);
  tell("Pay for the order:");
  await act(paid.url, "pay");
  await until(async () => (await provider.findPayment(paid.checkoutId)).state === "paid");
  const { chargeId } = await provider.findPayment(paid.checkoutId);
  tell("It’s paid.");

  const move = (key: string) => ({
    key: `${name} ${key}`,
    orderId,
    amountCents: amounts.part,
    chargeId: chargeId ?? "",
  });
  const twice = async (what: string, send: () => Promise<{ id: string }>) => {
    const [first, second] = [await send(), await send()];
    if (first.id !== second.id) throw new Error(`${what}: moved twice, as ${first.id} and ${second.id}`);
    tell(`${what}: ${first.id}, also when it’s sent again.`);
    return first.id;
  };
  const transferId = await twice("Paid to the seller", () =>
    provider.release({ ...move("release"), accountId }),
  );
  const reversalId = await twice("Taken back", () => provider.reverse({ ...move("reverse"), transferId }));
  const refundId = await twice("Paid back to the buyer", () => provider.refund(move("refund")));
  const tooMuch = await provider.refund(move("more")).catch((error: Error) => error);
  if (!(tooMuch instanceof Error)) throw new Error("More was paid back than there was.");

  const moved = [chargeId ?? "", transferId, reversalId, refundId];
  const listed: string[] = [];
  for await (const { id } of provider.list(since)) listed.push(id);
  const missing = moved.filter((id) => !listed.includes(id));
  if (missing.length > 0) throw new Error(`Not listed: ${missing.join(", ")}`);
  tell("All of it is listed.");
  return { accountId, order };
}
