import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import type { PayoutState } from "#app/db/enums.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { suspensionEnd } from "./payment-texts.ts";
import { debtText, suspendedMoneyText } from "./payout-texts.ts";

const StripeAccountLink = () => (
  <a href="https://connect.stripe.com/express_login" className="link">
    your Stripe account
  </a>
);

/** What a seller reads in each state, and what they can do next. */
const texts: Record<PayoutState, { title: string; text: ReactNode; button?: string }> = {
  "to do": {
    title: "You’re not set up yet",
    text: `Give Stripe, our payment partner, your details and your bank account. It takes about five minutes. Until then, buyers pay you directly.`,
    button: "Set up payouts",
  },
  waiting: {
    title: "Stripe is checking your details",
    text: "That usually takes a day or two, and there’s nothing you have to do. Until then, buyers pay you directly.",
    button: "See what Stripe has",
  },
  ready: {
    title: "You can be paid",
    text: (
      <>
        Buyers pay when they book. {brand.name} holds the money until they’ve got the device, then Stripe pays
        you. Change your bank account in <StripeAccountLink />.
      </>
    ),
  },
  refused: {
    title: "Stripe can’t pay you",
    text: (
      <>
        Stripe has turned your details down. You can still sell: buyers pay you directly. If you think it’s a
        mistake,{" "}
        <Link to="/report" className="link">
          write to us
        </Link>
        .
      </>
    ),
  },
};

/** Whether a seller can be paid through the provider. */
export function PayoutsView({
  state,
  account,
  debtCents,
  suspension,
}: {
  state: PayoutState;
  account: string;
  debtCents: number;
  /** Null if they are not suspended; without an end, for good. */
  suspension: { until: string | null; holdsMoney: boolean } | null;
}) {
  const { dayLabel } = useDateLabels();
  const arePayoutsHeld = suspension !== null && state === "ready";
  const { title, text, button } = arePayoutsHeld
    ? {
        title: `You’re suspended ${suspensionEnd(suspension.until, dayLabel)}`,
        text: suspension.holdsMoney
          ? suspendedMoneyText(suspension.until, dayLabel)
          : "Nothing is due to you right now.",
        button: undefined,
      }
    : texts[state];
  return (
    <>
      {debtCents > 0 && <Debt cents={debtCents} account={account} />}
      <section
        aria-labelledby="payout-state"
        className="mb-6 max-w-prose rounded-box border border-base-300 p-5"
      >
        <h2 id="payout-state" className="text-xl font-semibold">
          {title}
        </h2>
        <p className="mt-2 text-pretty">{text}</p>
        {button && (
          // The page is the provider's, so the browser goes there itself.
          <Form method="post" reloadDocument className="mt-5">
            <input type="hidden" name="account" value={account} />
            <SubmitButton className={state === "to do" ? "btn-primary" : "btn-outline"}>
              {button}
            </SubmitButton>
          </Form>
        )}
      </section>
    </>
  );
}

/** What a seller owes, and how to pay it. */
function Debt({ cents, account }: { cents: number; account: string }) {
  return (
    <section aria-labelledby="debt" className="mb-6 max-w-prose rounded-box bg-base-200 p-5">
      <h2 id="debt" className="text-xl font-semibold">
        You owe {priceLabel(cents)}
      </h2>
      <p className="mt-2 text-pretty">
        {debtText} Add it in <StripeAccountLink />, then press the button. We also try every day. You can’t?{" "}
        <Link to="/report" className="link">
          Write to us
        </Link>
        .
      </p>
      <Form method="post" preventScrollReset className="mt-4">
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="intent" value="retry" />
        <SubmitButton pending={{ intent: "retry" }} className="btn-primary">
          Take {priceLabel(cents)} now
        </SubmitButton>
      </Form>
    </section>
  );
}
