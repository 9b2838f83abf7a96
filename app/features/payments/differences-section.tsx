import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, useActionData } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { settleDifferenceSchema } from "./difference.schema.ts";
import { ledgerLabels } from "./ledger-labels.ts";
import type { OpenDifference } from "./reconciliation.server.ts";

type Shown = SerializeFrom<OpenDifference>;

const amountText = (cents: number | null) => (cents === null ? "nothing" : priceLabel(cents));

/** What ledger and provider say differently, until staff has settled it. */
export function DifferencesSection({ differences }: { differences: Shown[] }) {
  if (differences.length === 0) return null;
  return (
    <section aria-labelledby="differences" className="mb-8 max-w-2xl">
      <h2 id="differences" className="text-xl font-semibold">
        Differences
      </h2>
      <ul className="divide-y divide-base-300">
        {differences.map((difference) => (
          <Difference key={difference.id} difference={difference} />
        ))}
      </ul>
    </section>
  );
}

function Difference({ difference }: { difference: Shown }) {
  const { id, kind, orderId, providerId, ledgerCents, providerCents, createdAt } = difference;
  const { dayLabel } = useDateLabels();
  const result = useActionData<{ result?: SubmissionResult<string[]> }>()?.result;
  const [form, fields] = useSchemaForm(settleDifferenceSchema, {
    id: `settle-${id}`,
    lastResult: result?.initialValue?.difference === id ? result : undefined,
    shouldValidate: "onSubmit",
  });
  return (
    <li className="py-3">
      <p className="font-medium">
        {`${ledgerLabels[kind]}: ${amountText(ledgerCents)} in the ledger, ${amountText(providerCents)} at the provider`}
      </p>
      <p className="text-sm text-quiet wrap-anywhere">
        {providerId}, found {dayLabel(createdAt)}.{" "}
        <Link to={`/manage/orders/${orderId}`} className="link">
          View order
        </Link>
      </p>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="mt-4 grid gap-3">
        <input type="hidden" name="intent" value="settle" />
        <input type="hidden" name="difference" value={id} />
        <FormErrors form={form} labels={{ reason: "Reason" }} />
        <TextAreaField field={fields.reason} label="How it’s settled" rows={2} />
        <SubmitButton pending={{ difference: id }} className="btn-outline justify-self-start">
          Settled
        </SubmitButton>
      </Form>
    </li>
  );
}
