import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmedValues, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { hasQuestion } from "./message.rules.ts";
import { messageSchema } from "./message.schema.ts";

/**
 * Without anything typed, a refusal stands in place of the form; otherwise the text stays for reading.
 *
 * @param account the email address of the account that the form is for
 * @param isNext follows a message that was sent on the same page
 * @param asked what the sender was asked about, now or before
 * @param refusal why no message can be sent
 */
export function MessageForm({
  account,
  formKey,
  isNext = false,
  refusal,
  lastResult,
  asked,
}: {
  account: string;
  formKey: string;
  isNext?: boolean;
  refusal: string | null;
  lastResult: SubmissionResult<string[]> | undefined;
  asked?: string[] | undefined;
}) {
  const [form, fields] = useSchemaForm(messageSchema, {
    id: "message",
    lastResult,
    // Not when the field is left: an empty message is no mistake until it is sent.
    shouldValidate: "onSubmit",
  });
  const [hasText, setHasText] = useState(false);
  const textOf = (event: FormEvent<HTMLFormElement>) => new FormData(event.currentTarget).get("text");
  if (refusal && !hasText && !lastResult) return <p>{refusal}</p>;
  const { onSubmit, ...formProps } = getFormProps(form);
  return (
    <Form
      method="post"
      preventScrollReset
      {...formProps}
      onInput={(event) => setHasText(textOf(event) !== "")}
      onSubmit={(event) => {
        // A second click on Send finds the next form, which is empty: no mistake.
        if (isNext && textOf(event) === "") event.preventDefault();
        else onSubmit(event);
      }}
      className="grid gap-3"
    >
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <ConfirmedValues asked={asked} />
      <FormErrors form={form} labels={{ text: "Message" }} />
      <TextAreaField
        field={fields.text}
        label="Message"
        rows={3}
        readOnly={refusal !== null && !lastResult}
        hint="Up to 2,000 characters. Never send passwords or card details."
      />
      {refusal && !lastResult ? (
        <p role="status">{refusal}</p>
      ) : (
        <SubmitButton pending={{ formKey }} className="btn-primary justify-self-start">
          {hasQuestion(fields.text.errors) ? "Send anyway" : "Send message"}
        </SubmitButton>
      )}
    </Form>
  );
}
