import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { TargetKind } from "#app/db/enums.ts";
import { howToPay } from "#app/terms.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { reasonLabels, reportReasons } from "./content-report.rules.ts";
import { contentReportSchema } from "./content-report.schema.ts";

export function ContentReportForm({
  kind,
  account,
  isProtected,
  lastResult,
}: {
  kind: TargetKind;
  account: string;
  /** Whether the market has a payment provider. */
  isProtected: boolean;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(contentReportSchema, {
    id: "report-content",
    lastResult,
  });
  const paid = howToPay("administrator", isProtected);
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ reason: "Reason", details: "Details" }} />
      <ChoiceField
        field={fields.reason}
        label="Reason"
        choices={reportReasons[kind].map((reason) => ({
          value: reason,
          label: reasonLabels[reason],
          description: reason === "other payment" ? paid : undefined,
        }))}
      />
      <TextAreaField
        field={fields.details}
        label="Details"
        rows={6}
        hint={`What’s wrong, and how you know. Needed for “${reasonLabels["something else"]}”.`}
      />
      <SubmitButton>Send report</SubmitButton>
    </Form>
  );
}
