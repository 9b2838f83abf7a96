import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { frequencyLabels } from "./saved-search.rules.ts";
import { type SearchSettings, searchSettingsSchema } from "./saved-search.schema.ts";

const frequencies = [
  {
    value: "at once",
    label: frequencyLabels["at once"],
    description: "Within minutes of a new or cheaper listing that matches.",
  },
  {
    value: "daily",
    label: frequencyLabels.daily,
    description: "One message with all the day’s matches.",
  },
  {
    value: "never",
    label: frequencyLabels.never,
    description: "No messages. You’ll see new matches under Searches.",
  },
];

/** @param account the email address of the account that the form is for */
export function SavedSearchForm({
  account,
  settings,
  button,
  lastResult,
}: {
  account: string;
  settings: SearchSettings;
  button: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(searchSettingsSchema, {
    id: "search-settings",
    lastResult,
    defaultValue: settings,
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid max-w-lg gap-5">
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ name: "Name", frequency: "Tell me" }} />
      <Field field={fields.name} label="Name" autoComplete="off" />
      <ChoiceField field={fields.frequency} label="Tell me" choices={frequencies} />
      <SubmitButton className="btn-primary justify-self-start">{button}</SubmitButton>
    </Form>
  );
}
