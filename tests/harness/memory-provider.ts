import assert from "node:assert/strict";
import {
  notDone,
  type PaymentProvider,
  type ProviderDispute,
  ProviderError,
} from "#app/features/payments/provider.ts";

interface Checkout {
  orderId: string;
  amountCents: number;
  state: "open" | "paid" | "expired";
  chargeId: string | null;
}

/** A payment provider that keeps its balances in memory, and can fail before or after it has moved something. */
export function memoryProvider() {
  const checkouts = new Map<string, Checkout>();
  const moves = new Map<string, { id: string; facts: string }>();
  /** In cents: what the platform has, sellers' accounts and what buyers have paid, less what they got back. */
  const balances = { platform: 0, buyers: 0, sellers: new Map<string, number>() };
  const transfers = new Map<string, string>();
  const disputes = new Map<string, ProviderDispute & { chargeId: string }>();
  /** How often something fails next; `spent`: a seller has too little to take it back. */
  const faults = { before: 0, after: 0, spent: 0, code: "api_connection_error", isRetryable: true };
  let made = 0;
  const newId = (kind: string) => {
    made += 1;
    return `${kind}_${made}`;
  };

  /** Once for each key; another request under a used one is an error. */
  function once(
    key: string,
    { isLookup = false, ...facts }: { isLookup?: boolean; [fact: string]: unknown },
    kind: string,
    act: (id: string) => void,
  ): { id: string } {
    if (faults.before-- > 0) throw new ProviderError(faults.code, faults.isRetryable);
    const text = JSON.stringify(facts);
    const earlier = moves.get(key);
    if (isLookup && !earlier) throw new ProviderError(notDone, false);
    if (earlier) assert.equal(earlier.facts, text, "the same key with other facts");
    const id = earlier?.id ?? newId(kind);
    if (!earlier) {
      act(id);
      moves.set(key, { id, facts: text });
    }
    if (faults.after-- > 0) throw new ProviderError(faults.code, faults.isRetryable);
    return { id };
  }

  const provider: PaymentProvider = {
    async startPayment({ key, orderId, amountCents }) {
      const { id } = once(key, { orderId, amountCents }, "checkout", (id) =>
        checkouts.set(id, { orderId, amountCents, state: "open", chargeId: null }),
      );
      return { checkoutId: id, url: `https://pay.example/${id}` };
    },
    async findPayment(checkoutId) {
      const checkout = checkouts.get(checkoutId);
      if (!checkout) throw new ProviderError("resource_missing", false);
      return { ...checkout, url: checkout.state === "open" ? `https://pay.example/${checkoutId}` : null };
    },
    async findDisputes(disputeId) {
      const { chargeId } = disputes.get(disputeId) ?? {};
      if (!chargeId) throw new ProviderError("resource_missing", false);
      return {
        chargeId,
        disputes: [...disputes.values()].filter((dispute) => dispute.chargeId === chargeId),
      };
    },
    async endPayment(checkoutId) {
      const checkout = checkouts.get(checkoutId);
      if (checkout?.state === "open") checkout.state = "expired";
    },
    async release({ key, ...facts }) {
      return once(key, facts, "transfer", (id) => {
        balances.platform -= facts.amountCents;
        balances.sellers.set(
          facts.accountId,
          (balances.sellers.get(facts.accountId) ?? 0) + facts.amountCents,
        );
        transfers.set(id, facts.accountId);
      });
    },
    async refund({ key, ...facts }) {
      return once(key, facts, "refund", () => {
        balances.platform -= facts.amountCents;
        balances.buyers -= facts.amountCents;
      });
    },
    async reverse({ key, ...facts }) {
      if (faults.spent-- > 0) throw new ProviderError("balance_insufficient", false);
      return once(key, facts, "reversal", () => {
        const account = transfers.get(facts.transferId) ?? "";
        balances.platform += facts.amountCents;
        balances.sellers.set(account, (balances.sellers.get(account) ?? 0) - facts.amountCents);
      });
    },
    async onboard({ userId }) {
      return { accountId: `account_${userId}`, url: "https://pay.example/onboarding" };
    },
    accountState: async () => "ready",
    readEvent: async () => null,
    async *list() {},
  };
  return {
    provider,
    balances,
    faults,
    /** The buyer pays on the provider's page. */
    pay(checkoutId: string) {
      const checkout = checkouts.get(checkoutId);
      assert.equal(checkout?.state, "open", "the page is closed");
      if (!checkout) return;
      checkout.state = "paid";
      checkout.chargeId = newId("charge");
      balances.platform += checkout.amountCents;
      balances.buyers += checkout.amountCents;
    },
    /** A bank disputes a charge, or decides about that. */
    dispute(id: string, dispute: Omit<ProviderDispute, "id"> & { chargeId: string }) {
      const taken = (known = disputes.get(id)) => (known?.state === "lost" ? known.amountCents : 0);
      const before = taken();
      disputes.set(id, { id, ...dispute });
      balances.platform -= taken() - before;
      balances.buyers -= taken() - before;
    },
    paidBySeller: (accountId: string) => balances.sellers.get(accountId) ?? 0,
    checkoutOf: (url: string) => url.split("/").at(-1) ?? "",
    /** How many movements there were of each kind. */
    count: (kind: string) => [...moves.values()].filter(({ id }) => id.startsWith(`${kind}_`)).length,
  };
}
