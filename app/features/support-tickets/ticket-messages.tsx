import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { emailOutcomeTexts } from "../audit/email-outcome-texts.ts";
import { ticketAnswerSchema, ticketMessageSchema } from "./ticket.schema.ts";
import type { TicketDetails } from "./tickets.server.ts";

/** What a ticket says, then the answers and what its sender wrote back. @param sender how its sender is called */
export function TicketMessages({
  ticket: { details, createdAt, messages },
  sender,
}: {
  ticket: SerializeFrom<Pick<TicketDetails, "details" | "createdAt" | "messages">>;
  sender: string;
}) {
  const { dateTimeLabel } = useDateLabels();
  const first = { isAnswer: false, author: null, isDue: false, outcome: null };
  const all = [{ id: "report", text: details, createdAt, ...first }, ...messages];
  return (
    <ol className="grid max-w-xl gap-4">
      {all.map(({ id, text, createdAt, isAnswer, author, isDue, outcome }) => (
        <li
          key={id}
          className={`rounded-box px-4 py-3 ${isAnswer ? "border border-base-300" : "bg-base-200"}`}
        >
          <p className="text-sm text-quiet wrap-anywhere">
            <bdi>{isAnswer ? (author ?? brand.name) : sender}</bdi>,{" "}
            <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
          </p>
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap">
            {text || <span className="text-quiet">No text</span>}
          </p>
          {(isDue || (outcome && outcome !== "sent")) && (
            <p className="mt-1 text-sm text-quiet">
              {isDue ? "Email waiting" : outcome && `Email ${emailOutcomeTexts[outcome]}`}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** @param account the email address of the account that the form is for, if it needs one */
export function TicketMessageForm({
  label,
  hint,
  account,
  formKey,
  lastResult,
  insertReply,
}: {
  label: "Answer" | "Message";
  hint: string;
  account?: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
  /** Offers texts for the field with this id. */
  insertReply?: (textId: string) => ReactNode;
}) {
  const [form, fields] = useSchemaForm(label === "Answer" ? ticketAnswerSchema : ticketMessageSchema, {
    id: "answer",
    lastResult,
    shouldValidate: "onSubmit",
  });
  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid max-w-xl gap-3">
      <input type="hidden" name="intent" value="answer" />
      {account && <input type="hidden" name="account" value={account} />}
      <input type="hidden" name="formKey" value={formKey} />
      <FormErrors form={form} labels={{ text: label }} />
      {insertReply?.(fields.text.id)}
      <TextAreaField field={fields.text} label={label} rows={5} hint={hint} />
      <SubmitButton pending={{ formKey }} className="btn-primary justify-self-start">
        {label === "Answer" ? "Send answer" : "Send message"}
      </SubmitButton>
    </Form>
  );
}
