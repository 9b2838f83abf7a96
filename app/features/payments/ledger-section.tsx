import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import type { PaymentCause, PaymentTaskKind } from "#app/db/enums.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { ConfirmedValues, Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { resultOf } from "#app/ui/result-of.ts";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { decimalPrice, priceLabel } from "../listings/money.rules.ts";
import { ledgerLabel } from "./ledger-labels.ts";
import type { OrderLedger } from "./payment-list.server.ts";
import { refundSchema } from "./refund.schema.ts";
import type { findRefundable } from "./refunds.server.ts";

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
  staff: "Refunded by staff",
  dispute: "Dispute of the buyer’s bank",
};

/** What has happened to the money of an order, for staff. */
export function LedgerSection({
  ledger: { entries, tasks, disputeId, refundable, account },
  result,
  asked,
}: {
  ledger: SerializeFrom<OrderLedger> & {
    refundable: Awaited<ReturnType<typeof findRefundable>>;
    /** The email address that the form is for. */
    account: string;
  };
  /** Of any form of the page. */
  result: SubmissionResult<string[]> | undefined;
  asked: string[] | undefined;
}) {
  const { dateTimeLabel } = useDateLabels();
  const open = tasks.filter(({ doneAt }) => !doneAt);
  const causeOf = (providerId: string) => tasks.find((task) => task.providerId === providerId)?.cause;
  return (
    <section aria-labelledby="ledger" className="max-w-2xl xl:col-start-1 print:hidden">
      <h2 id="ledger" className="text-xl font-semibold">
        Ledger
      </h2>
      {disputeId && (
        <p className="mt-2">
          The buyer’s bank disputes the payment, or has:{" "}
          <Link to={`/manage/problems/${disputeId}`} className="link">
            see what both sides say
          </Link>
          .
        </p>
      )}
      {entries.length === 0 && <p className="mt-2 text-quiet">Nothing has been paid.</p>}
      <ul className="divide-y divide-base-300">
        {entries.map(({ id, kind, amountCents, providerId, createdAt }) => {
          const cause = causeOf(providerId);
          const isOfBank = kind === "refunded" && !cause;
          return (
            <Entry
              key={id}
              title={ledgerLabel({ kind, cents: amountCents, isOfBank })}
              amountCents={Math.abs(amountCents)}
              lines={[cause && causeLabels[cause], dateTimeLabel(createdAt), providerId]}
            />
          );
        })}
        {open.map(({ id, kind, amountCents, cause, attempts, error, nextAt }) => (
          <Entry
            key={id}
            title={`To do: ${taskLabels[kind].toLowerCase()}`}
            amountCents={amountCents}
            lines={[
              causeLabels[cause],
              error && `Has failed (${error}), sent ${attempts === 1 ? "once" : `${attempts} times`}`,
              nextAt && `Sent next: ${dateTimeLabel(nextAt)}`,
            ]}
          />
        ))}
      </ul>
      {refundable?.refusal === null && (
        // A new key resets the form after a refund.
        <RefundForm
          key={refundable.refundCents}
          {...refundable}
          account={account}
          asked={asked}
          lastResult={resultOf(result, "refund")}
        />
      )}
    </section>
  );
}

function RefundForm({
  refundCents,
  leftCents,
  account,
  asked,
  lastResult,
}: {
  refundCents: number;
  leftCents: number;
  account: string;
  asked: string[] | undefined;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(refundSchema, {
    id: "refund",
    lastResult,
    defaultValue: { amount: decimalPrice(leftCents) },
    // Not when the field is left: nobody has to refund.
    shouldValidate: "onSubmit",
  });
  return (
    <Form
      method="post"
      preventScrollReset
      {...getFormProps(form)}
      aria-label="Refund"
      className="mt-4 grid max-w-lg gap-4"
    >
      <input type="hidden" name="intent" value="refund" />
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="shown" value={refundCents} />
      <ConfirmedValues asked={asked} />
      <FormErrors form={form} labels={{ amount: "Amount", reason: "Reason" }} />
      <Field
        field={fields.amount}
        label="Pay back to the buyer"
        inputMode="decimal"
        autoComplete="off"
        hint={`${priceLabel(leftCents)} at most. The order goes on. What the seller has of it is taken back.`}
      />
      <TextAreaField field={fields.reason} label="Reason" rows={3} hint="The buyer and the seller read it." />
      <p>
        <SubmitButton pending={{ intent: "refund" }} className="btn-outline">
          Refund
        </SubmitButton>
      </p>
    </Form>
  );
}

function Entry({
  title,
  amountCents,
  lines,
}: {
  title: string;
  amountCents: number;
  lines: (string | null | undefined)[];
}) {
  return (
    <li className="py-3">
      <p className="flex justify-between gap-4 font-medium">
        {title} <span className="tabular-nums">{priceLabel(amountCents)}</span>
      </p>
      {lines.map(
        (line) =>
          line && (
            <p key={line} className="text-sm text-quiet wrap-anywhere">
              {line}
            </p>
          ),
      )}
    </li>
  );
}
