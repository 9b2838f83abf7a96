import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { noteSchema } from "./note.schema.ts";
import type { Notes } from "./notes.server.ts";

/** What staff writes for each other about what a page shows. @param account the email address that the form is for */
export function NotesSection({
  notes: { rows, hasMore },
  account,
  formKey,
  result,
}: {
  notes: SerializeFrom<Notes>;
  account: string;
  formKey: string;
  /** Of any form of the page. */
  result: SubmissionResult<string[]> | undefined;
}) {
  const { dateTimeLabel } = useDateLabels();
  return (
    <section id="notes" aria-labelledby="notes-title" className="max-w-xl scroll-mt-24 print:hidden">
      <h2 id="notes-title" className="text-xl font-semibold">
        Internal notes
      </h2>
      <ul className="mb-4 divide-y divide-base-300">
        {rows.map(({ id, text, author, createdAt }) => (
          <li key={id} className="py-3">
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {text}
            </p>
            <p className="mt-1 text-sm text-quiet wrap-anywhere">
              <bdi>{author}</bdi>, <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
            </p>
          </li>
        ))}
      </ul>
      {hasMore && <p className="mb-4 text-quiet">The newest {rows.length} are shown.</p>}
      {/* A new key resets the form after a note. */}
      <NoteForm
        key={rows[0]?.id}
        account={account}
        formKey={formKey}
        lastResult={resultOfForm(result, "note")}
      />
    </section>
  );
}

function NoteForm({
  account,
  formKey,
  lastResult,
}: {
  account: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(noteSchema, {
    id: "note",
    lastResult,
    // Not when the field is left: nobody has to write a note.
    shouldValidate: "onSubmit",
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} autoComplete="off" className="grid gap-3">
      <input type="hidden" name="intent" value="note" />
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <FormErrors form={form} labels={{ note: "Note" }} />
      <TextAreaField
        field={fields.note}
        label="New note"
        rows={2}
        hint="Only staff can read it. You can’t change it later."
      />
      <SubmitButton pending={{ formKey }} className="btn-outline justify-self-start">
        Add note
      </SubmitButton>
    </Form>
  );
}
