import { getFormProps, getInputProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { isoDay, isoDayLabel } from "#app/time.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { PeopleIcon } from "#app/ui/icons.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { announcementSchema, messageToUsersSchema } from "./announcement.schema.ts";
import type { ListedAnnouncement } from "./announcements.server.ts";

interface FormFor {
  account: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** The form for a message to one user, or the same to several. */
export function MessageToUsersForm({ account, formKey, lastResult, count }: FormFor & { count: number }) {
  const [form, fields] = useSchemaForm(messageToUsersSchema, { id: "write", lastResult });
  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid max-w-lg gap-5">
      <HiddenFields account={account} formKey={formKey} intent="write" />
      <FormErrors form={form} labels={{ text: "Message" }} />
      <TextAreaField
        field={fields.text}
        label="Message"
        rows={5}
        hint={`${count === 1 ? "They get it" : "Each gets it"} from ${brand.name}, as a notification, and as an email if their address is confirmed. They can’t reply.`}
      />
      <SubmitButton className="btn-primary justify-self-start">
        {count === 1 ? "Send message" : `Send to ${count} users`}
      </SubmitButton>
    </Form>
  );
}

const audiences = [
  { value: "all", label: "Everyone with an account" },
  { value: "sellers", label: "Sellers", description: "And buyers who have published a listing." },
];

/** @param days the first and the last that the form proposes, as ISO dates */
export function AnnouncementForm({
  account,
  formKey,
  lastResult,
  days,
}: FormFor & { days: { from: string; to: string } }) {
  const [form, fields] = useSchemaForm(announcementSchema, {
    id: "announce",
    lastResult,
    defaultValue: { audience: "all", ...days },
  });
  const { key: _, ...notifies } = getInputProps(fields.notifies, { type: "checkbox" });
  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid max-w-lg gap-5">
      <HiddenFields account={account} formKey={formKey} intent="announce" />
      <FormErrors
        form={form}
        labels={{ text: "Message", audience: "Who reads it", from: "First day", to: "Last day" }}
      />
      <TextAreaField
        field={fields.text}
        label="Message"
        rows={4}
        hint="Shown at the top of every page under Manage on these days."
      />
      <ChoiceField field={fields.audience} label="Who reads it" choices={audiences} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field field={fields.from} label="First day" type="date" />
        <Field field={fields.to} label="Last day" type="date" />
      </div>
      <label className="flex cursor-pointer gap-3">
        <input {...notifies} className="mt-0.5 size-5 shrink-0 accent-primary" />
        <span>
          <span className="font-medium">Notify them too</span>
          <span className="block text-sm text-quiet">
            On the first day, with an email to those who have confirmed their address and want it.
          </span>
        </span>
      </label>
      <SubmitButton className="btn-primary justify-self-start">Announce</SubmitButton>
    </Form>
  );
}

function HiddenFields({ account, formKey, intent }: { account: string; formKey: string; intent: string }) {
  return (
    <>
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <input type="hidden" name="intent" value={intent} />
    </>
  );
}

export function AnnouncementList({ announcements }: { announcements: ListedAnnouncement[] }) {
  if (announcements.length === 0) {
    return (
      <EmptyState
        icon={<PeopleIcon className="size-10" />}
        title="No announcements yet"
        text="Your announcements show up here."
      />
    );
  }
  return (
    <ul className="divide-y divide-base-300 border-y border-base-300">
      {announcements.map((announcement) => (
        <li key={announcement.id} className="py-4">
          <p className="wrap-anywhere">{announcement.text}</p>
          <p className="mt-1 text-sm text-quiet">
            {announcement.audience === "all" ? "Everyone" : "Sellers"}, {daysLabel(announcement)}
            {announcement.isNotifying && ". Notifications are on their way"}
          </p>
          {announcement.state !== "ended" && (
            <div className="mt-2">
              <RowAction id={announcement.id} intent="end" target={announcement.text}>
                {announcement.state === "planned" ? "Cancel" : "End now"}
              </RowAction>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function daysLabel({ state, firstDay, lastDay, wasEnded }: ListedAnnouncement): string {
  const [from, to] = [firstDay, lastDay].map((day) => isoDayLabel(isoDay(day)));
  if (wasEnded) return `ended early, planned from ${from} to ${to}`;
  if (state === "ended") return firstDay > lastDay ? `cancelled before ${from}` : `ended ${to}`;
  return state === "planned" ? `from ${from} to ${to}` : `showing until ${to}`;
}
