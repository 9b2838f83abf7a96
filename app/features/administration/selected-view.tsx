import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { FormErrors, SelectField, TextAreaField } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { reasonLabels, reportReasons } from "../moderation/reports/content-report.rules.ts";
import { type BulkAction, bulkActionLabels, bulkRefusalText, recordsLabel } from "./bulk.rules.ts";
import { hidingReasonSchema } from "./bulk.schema.ts";
import type { SelectedRow } from "./bulk.server.ts";

/** Asks for confirmation before an action is applied to the chosen rows. */
export function SelectedView({
  action,
  rows,
  missing,
  back,
  formKey,
  lastResult,
}: {
  action: BulkAction;
  rows: SerializeFrom<SelectedRow>[];
  /** How many rows were chosen that do not exist. */
  missing: number;
  /** The table that they were chosen in. */
  back: string;
  /** Idempotency key: submitting the form twice applies the action once. */
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const { verb } = bulkActionLabels[action];
  const possible = rows.filter(({ refusal }) => refusal === null);
  const impossible = rows.filter(({ refusal }) => refusal !== null);
  const what = `${verb} ${recordsLabel(action, possible.length)}`;
  const buttons = (
    <>
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="back" value={back} />
      <input type="hidden" name="formKey" value={formKey} />
      {possible.map(({ id }) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      <p className="text-quiet">You can undo this for 10 minutes.</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <SubmitButton>{what}</SubmitButton>
        <Link to={back} className="btn btn-outline">
          Cancel
        </Link>
      </div>
    </>
  );
  return (
    <div className="max-w-prose">
      <h1 className="mb-4 text-3xl font-semibold">
        {possible.length > 0 ? `${what}?` : `Nothing to ${verb.toLowerCase()}`}
      </h1>
      {action !== "hide listings" && <ActionError />}
      {possible.length > 0 && <RowList rows={possible} />}
      {impossible.length > 0 && (
        <section className="mt-6">
          <h2 className="font-semibold">Left out</h2>
          <RowList rows={impossible} />
        </section>
      )}
      {missing > 0 && (
        <p className="mt-6">
          {recordsLabel(action, missing)} {bulkRefusalText("not found", missing)}.
        </p>
      )}
      <div className="mt-6">
        {possible.length === 0 ? (
          <Link to={back} className="btn btn-outline">
            Back
          </Link>
        ) : action === "hide listings" ? (
          <HidingForm lastResult={lastResult}>{buttons}</HidingForm>
        ) : (
          <Form method="post">{buttons}</Form>
        )}
      </div>
    </div>
  );
}

function HidingForm({
  lastResult,
  children,
}: {
  lastResult: SubmissionResult<string[]> | undefined;
  children: ReactNode;
}) {
  const [form, fields] = useSchemaForm(hidingReasonSchema, { id: "hide", lastResult });
  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-5">
      <FormErrors form={form} labels={{ reason: "Reason", details: "Details" }} />
      <SelectField
        field={fields.reason}
        label="Reason"
        hint="The sellers read it, and each can appeal once."
        options={Object.fromEntries(reportReasons.listing.map((reason) => [reason, reasonLabels[reason]]))}
      />
      <TextAreaField
        field={fields.details}
        label="Details"
        rows={4}
        hint={`The sellers read this too. Needed for “${reasonLabels["something else"]}”.`}
      />
      <div>{children}</div>
    </Form>
  );
}

function RowList({ rows }: { rows: SerializeFrom<SelectedRow>[] }) {
  return (
    <ul className="mt-3 list-disc pl-5">
      {rows.map(({ id, label, person, cents, refusal }) => (
        <li key={id} className="wrap-anywhere">
          <bdi>{label}</bdi>
          {cents !== null ? (
            <>
              , {priceLabel(cents)}
              {person && (
                <>
                  , by <bdi>{person}</bdi>
                </>
              )}
            </>
          ) : (
            person && (
              <>
                {" "}
                (<EmailAddress email={person} />)
              </>
            )
          )}
          {refusal && <span className="text-quiet"> {bulkRefusalText(refusal)}</span>}
        </li>
      ))}
    </ul>
  );
}
