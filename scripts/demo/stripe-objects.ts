import type Stripe from "stripe";
import { market } from "#app/market.ts";

// Stripe's objects, with each field that its types demand.

/** As the provider writes it. */
export const marketCurrency = market.currency.toLowerCase();

/** Accounts of demo data begin so: they are ready, without having been set up. */
export const demoAccountPrefix = "acct_demo_";

type Created<Item extends { id: string }> = Pick<Item, "id"> & { created: number };

const nothing = { enabled: false } as const;

export function newAccount(
  { id, created }: Created<Stripe.Account>,
  { capabilities, controller, metadata }: Stripe.AccountCreateParams,
): Stripe.Account {
  return {
    id,
    object: "account",
    business_type: null,
    capabilities: capabilities?.transfers?.requested ? { transfers: "inactive" } : {},
    charges_enabled: false,
    controller: {
      type: "application",
      is_controller: true,
      fees: { payer: controller?.fees?.payer === "application" ? "application" : "account" },
      losses: { payments: controller?.losses?.payments ?? "stripe" },
      requirement_collection: controller?.requirement_collection ?? "stripe",
      stripe_dashboard: { type: controller?.stripe_dashboard?.type ?? "full" },
    },
    country: market.country,
    created,
    default_currency: marketCurrency,
    details_submitted: false,
    email: null,
    metadata: stringsOf(metadata),
    payouts_enabled: false,
    requirements: requirements(null, ["individual.first_name", "external_account"]),
    type: "express",
  };
}

export function requirements(
  disabledReason: Stripe.Account.Requirements.DisabledReason | null,
  due: string[],
): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: disabledReason,
    errors: [],
    eventually_due: due,
    past_due: [],
    pending_verification: [],
  };
}

export function newSession(
  { id, created, url }: Created<Stripe.Checkout.Session> & { url: string },
  parameters: Stripe.Checkout.SessionCreateParams,
): Stripe.Checkout.Session {
  const amount = (parameters.line_items ?? []).reduce(
    (sum, { price_data, quantity }) => sum + (price_data?.unit_amount ?? 0) * (quantity ?? 1),
    0,
  );
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: nothing,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: parameters.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: parameters.cancel_url ?? null,
    client_reference_id: parameters.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: parameters.line_items?.[0]?.price_data?.currency ?? null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: "if_required",
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: parameters.expires_at ?? created + 24 * 3600,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: nothing,
    metadata: stringsOf(parameters.metadata),
    mode: "payment",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: parameters.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: null,
    url,
    wallet_options: null,
  };
}

interface Paid {
  amount: number;
  currency: string;
  transfer_group: string | null;
  metadata: Stripe.Metadata;
}

export function newIntent(
  { id, created }: Created<Stripe.PaymentIntent>,
  { chargeId, ...paid }: Paid & { chargeId: string },
): Stripe.PaymentIntent {
  return {
    id,
    object: "payment_intent",
    ...paid,
    allowed_payment_method_types: ["card"],
    amount_capturable: 0,
    amount_received: paid.amount,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: null,
    confirmation_method: "automatic",
    created,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: chargeId,
    livemode: false,
    managed_payments: nothing,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
  };
}

export function newCharge(
  { id, created }: Created<Stripe.Charge>,
  { intentId, ...paid }: Paid & { intentId: string },
): Stripe.Charge {
  return {
    id,
    object: "charge",
    ...paid,
    amount_captured: paid.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "DEMO",
    captured: true,
    created,
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: null,
    livemode: false,
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intentId,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
  };
}

export function newTransfer(
  { id, created }: Created<Stripe.Transfer>,
  { amount, currency, destination, ...parameters }: Stripe.TransferCreateParams,
): Stripe.Transfer {
  const url = `/v1/transfers/${id}/reversals`;
  return {
    id,
    object: "transfer",
    amount: amount ?? 0,
    amount_reversed: 0,
    balance_transaction: null,
    created,
    currency,
    description: null,
    destination,
    livemode: false,
    metadata: stringsOf(parameters.metadata),
    reversals: { object: "list", data: [], has_more: false, url },
    reversed: false,
    source_transaction: parameters.source_transaction ?? null,
    source_type: "card",
    transfer_group: parameters.transfer_group ?? null,
  };
}

export function newReversal(
  { id, created }: Created<Stripe.TransferReversal>,
  transfer: Stripe.Transfer,
  { amount, metadata }: Stripe.TransferCreateReversalParams,
): Stripe.TransferReversal {
  return {
    id,
    object: "transfer_reversal",
    amount: amount ?? transfer.amount - transfer.amount_reversed,
    balance_transaction: null,
    created,
    currency: transfer.currency,
    destination_payment_refund: null,
    metadata: stringsOf(metadata),
    source_refund: null,
    transfer: transfer.id,
  };
}

export function newRefund(
  { id, created }: Created<Stripe.Refund>,
  charge: Stripe.Charge,
  { amount, metadata }: Stripe.RefundCreateParams,
): Stripe.Refund {
  return {
    id,
    object: "refund",
    amount: amount ?? charge.amount - charge.amount_refunded,
    balance_transaction: null,
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    metadata: stringsOf(metadata),
    payment_intent: charge.payment_intent,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}

export function newDispute(
  { id, created }: Created<Stripe.Dispute>,
  charge: Stripe.Charge,
  amount: number,
): Stripe.Dispute {
  const day = 24 * 3600;
  return {
    id,
    object: "dispute",
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + 7 * day,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response",
  };
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export function newBalanceTransaction(
  { id, created }: Created<Stripe.BalanceTransaction>,
  { type, amount, source, currency }: { type: string; amount: number; source: string; currency: string },
): Stripe.BalanceTransaction {
  return {
    id,
    object: "balance_transaction",
    amount,
    available_on: created,
    balance_type: "payments",
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: type,
    source,
    status: "available",
    type,
  };
}

export function newBalance(amount: number, currency: string): Stripe.Balance {
  return {
    object: "balance",
    available: [{ amount, currency, source_types: { card: amount } }],
    livemode: false,
    pending: [{ amount: 0, currency, source_types: { card: 0 } }],
  };
}

function stringsOf(metadata: unknown): Stripe.Metadata {
  return Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, String(value)]));
}
