import { refreshPayment } from "../payments/payments.server.ts";
import { refreshPayoutAccount } from "../payments/payouts.server.ts";
import type { EventHandlers } from "../payments/provider-events.server.ts";
import { refreshDispute } from "./bank-disputes.server.ts";

/** What becomes of the payment provider’s events; all others are only stored. */
export const eventHandlers: EventHandlers = {
  "account.updated": refreshPayoutAccount,
  "checkout.session.completed": refreshPayment,
  "charge.dispute.created": refreshDispute,
  "charge.dispute.closed": refreshDispute,
  // Also after it was closed.
  "charge.dispute.funds_withdrawn": refreshDispute,
  "charge.dispute.funds_reinstated": refreshDispute,
};
