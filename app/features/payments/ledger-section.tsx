import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { PaymentCause, PaymentTaskKind } from "#app/db/enums.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { ConfirmedValues, Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { formerMember } from "../accounts/viewer.ts";
import { decimalPrice, priceLabel } from "../listings/money.rules.ts";
import { ledgerLabel } from "./ledger-labels.ts";
import { moneyDecisionSchema } from "./money-decision.schema.ts";
import type { OrderLedger } from "./payment-list.server.ts";
import { disputedPaymentText } from "./payment-texts.ts";
import type { findRefundable } from "./refunds.server.ts";

type LedgerTask = Pick<OrderLedger["tasks"][number], "cause" | "decidedBy" | "reason">;

interface LedgerItem {
  id: string;
  /** An ISO time. */
  at: string;
  title: string;
  /** Null of what is only decided. */
  amountCents: number | null;
  lines: (string | null | undefined)[];
}

/** What is to be sent to the provider, and why. */
const taskLabels: Record<PaymentTaskKind, string> = {
  release: "Pay the seller",
  refund: "Pay the buyer back",
  "take back": "Take back from the seller",
};

const causeLabels: Record<PaymentCause, string> = {
  "paid too late": "Paid after the order had ended",
  cancelled: "Order cancelled",
  received: "Device received",
  approved: "The buyer is content",
  problem: "Problem settled",
  staff: "Decided by staff",
  dispute: "Dispute of the buyer’s bank",
};

/** What has happened to the money of an order, for staff. */
export function LedgerSection({
  ledger: { entries, tasks, decisions, dispute, refundable, releasable, account },
  result,
  asked,
}: {
  ledger: SerializeFrom<OrderLedger> & {
    refundable: Awaited<ReturnType<typeof findRefundable>>;
    /** What can be paid to a suspended seller, and from when on. */
    releasable: { cents: number; from: string | null } | null;
    /** The email address that the form is for. */
    account: string;
  };
  /** Of any form of the page. */
  result: SubmissionResult<string[]> | undefined;
  asked: string[] | undefined;
}) {
  const { dateTimeLabel } = useDateLabels();
  const open = tasks.filter(({ doneAt }) => !doneAt);
  const items: LedgerItem[] = [
    ...entries.map(({ id, kind, amountCents, providerId, isOfBank, createdAt }) => {
      const task = tasks.find((task) => task.providerId === providerId);
      return {
        id,
        at: createdAt,
        title: ledgerLabel({ kind, cents: amountCents, isOfBank }),
        amountCents: Math.abs(amountCents),
        lines: [task && causeText(task), dateTimeLabel(createdAt), providerId],
      };
    }),
    ...decisions.map(({ id, by, at, details }) => ({
      id,
      at,
      title: `Refund decided by ${by ?? formerMember}`,
      // It has not moved yet.
      amountCents: null,
      lines: [details && decisionText(details), dateTimeLabel(at)],
    })),
    ...tasks
      .filter(({ doneAt, providerId }) => doneAt && !providerId)
      .map(({ id, kind, amountCents, error, createdAt, ...task }) => ({
        id,
        at: createdAt,
        title: taskLabels[kind],
        amountCents,
        lines: [
          causeText(task),
          `Refused by the provider (${error}), replaced by the next`,
          dateTimeLabel(createdAt),
        ],
      })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const takenCents = entries.reduce(
    (sum, { isOfBank, amountCents }) => sum + (isOfBank ? amountCents : 0),
    0,
  );
  return (
    <section aria-labelledby="ledger" className="max-w-2xl print:hidden">
      <h2 id="ledger" className="text-xl font-semibold">
        Ledger
      </h2>
      {dispute && (
        <p className="mt-2">
          {disputeText(dispute.isOpen, takenCents)}{" "}
          {dispute.problemId && (
            <Link to={`/manage/problems/${dispute.problemId}`} className="link">
              See what both sides say
            </Link>
          )}
        </p>
      )}
      {entries.length === 0 && <p className="mt-2 text-quiet">Nothing has been paid.</p>}
      <ul className="divide-y divide-base-300">
        {items.map(({ id, title, amountCents, lines }) => (
          <Entry key={id} title={title} amountCents={amountCents} lines={lines} />
        ))}
        {open.map(({ id, kind, amountCents, attempts, error, nextAt, isResendable, ...task }) => (
          <Entry
            key={id}
            title={`To do: ${taskLabels[kind].toLowerCase()}`}
            amountCents={amountCents}
            lines={[
              causeText(task),
              error && `Has failed (${error}), sent ${attempts === 1 ? "once" : `${attempts} times`}`,
              dispute?.isOpen
                ? "Waits until the bank has decided"
                : nextAt && `Sent next: ${dateTimeLabel(nextAt)}`,
            ]}
          >
            {isResendable && (
              <Form method="post" preventScrollReset className="mt-2">
                <input type="hidden" name="intent" value="send again" />
                <input type="hidden" name="account" value={account} />
                <SubmitButton pending={{ intent: "send again" }} className="btn-outline btn-sm">
                  Send again
                </SubmitButton>
              </Form>
            )}
          </Entry>
        ))}
      </ul>
      {releasable?.from && (
        <p className="mt-4">
          {`You can pay the suspended seller from ${dateTimeLabel(releasable.from)} on: until then, the buyer can report a problem.`}
        </p>
      )}
      {releasable && !releasable.from && (
        <MoneyForm
          intent="release"
          cents={releasable.cents}
          account={account}
          asked={asked}
          lastResult={resultOfForm(result, "release")}
        />
      )}
      {refundable?.refusal === null && (
        // A new key resets the form after a refund.
        <MoneyForm
          key={refundable.refundCents}
          intent="refund"
          cents={refundable.leftCents}
          shownCents={refundable.refundCents}
          account={account}
          asked={asked}
          lastResult={resultOfForm(result, "refund")}
        />
      )}
    </section>
  );
}

/** Why something was moved, and who of the staff has decided that. */
function causeText({ cause, decidedBy, reason }: LedgerTask) {
  return [decidedBy ? `Decided by ${decidedBy}` : causeLabels[cause], reason].filter(Boolean).join(": ");
}

/** How much is to be paid back, and why. */
const decisionText = ({ amountCents, reason }: NonNullable<OrderLedger["decisions"][number]["details"]>) =>
  [amountCents !== undefined && priceLabel(amountCents), reason].filter(Boolean).join(": ");

/** @param takenCents by the bank, less what it has given back */
function disputeText(isOpen: boolean, takenCents: number) {
  if (isOpen) return `${disputedPaymentText(false)} Answer it at Stripe.`;
  return `The buyer’s bank disputed the payment, and has taken ${takenCents > 0 ? priceLabel(takenCents) : "nothing"}.`;
}

/** Pays a part or all of an order back to the buyer, or all that is held to its suspended seller. */
function MoneyForm({
  intent,
  cents,
  shownCents = 0,
  account,
  asked,
  lastResult,
}: {
  intent: "refund" | "release";
  /** What is left to be paid back, or is paid to the seller. */
  cents: number;
  /** What was paid back before. */
  shownCents?: number;
  account: string;
  asked?: string[] | undefined;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(moneyDecisionSchema, {
    id: intent,
    lastResult,
    defaultValue: { amount: decimalPrice(cents) },
    // Not when the field is left: nobody has to decide.
    shouldValidate: "onSubmit",
  });
  const isRefund = intent === "refund";
  const label = isRefund ? "Refund" : `Pay the seller ${priceLabel(cents)}`;
  return (
    <Form
      method="post"
      preventScrollReset
      {...getFormProps(form)}
      aria-label={label}
      className="mt-4 grid max-w-lg gap-4"
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="shown" value={shownCents} />
      <ConfirmedValues asked={asked} />
      <FormErrors form={form} labels={{ amount: "Amount", reason: "Reason" }} />
      {isRefund ? (
        <Field
          field={fields.amount}
          label="Pay back to the buyer"
          inputMode="decimal"
          autoComplete="off"
          hint={`${priceLabel(cents)} at most. The order goes on. What the seller has of it is taken back.`}
        />
      ) : (
        <p>
          The seller is suspended. Until that ends, they’re paid only if you decide it.
          <input type="hidden" name="amount" value={decimalPrice(cents)} />
        </p>
      )}
      <TextAreaField field={fields.reason} label="Reason" rows={3} hint="The buyer and the seller read it." />
      <p>
        <SubmitButton pending={{ intent }} className="btn-outline">
          {label}
        </SubmitButton>
      </p>
    </Form>
  );
}

function Entry({
  title,
  amountCents,
  lines,
  children,
}: Omit<LedgerItem, "id" | "at"> & { children?: ReactNode }) {
  return (
    <li className="py-3">
      <p className="flex justify-between gap-4 font-medium">
        {title} {amountCents !== null && <span className="tabular-nums">{priceLabel(amountCents)}</span>}
      </p>
      {lines.map(
        (line) =>
          line && (
            <p key={line} className="text-sm text-quiet wrap-anywhere whitespace-pre-line">
              {line}
            </p>
          ),
      )}
      {children}
    </li>
  );
}
