import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import { useId, useState } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { focusOnMount } from "#app/ui/focus.ts";
import { useHydrated } from "#app/ui/hydrated.ts";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { personalAccessTokenSchema } from "../accounts/account.schema.ts";
import type { ListedToken } from "../accounts/personal-access-tokens.server.ts";

export function TokensSection({ count }: { count: number }) {
  return (
    <Section
      title="Personal access tokens"
      intro="Let your scripts use the API as you, without your password."
    >
      {count > 0 && <p className="mb-5">You’ve got {count === 1 ? "1 token" : `${count} tokens`}.</p>}
      <Link to="/manage/account/tokens" className="btn btn-outline">
        Manage tokens
      </Link>
    </Section>
  );
}

const scopes = [
  {
    value: "read",
    label: "Read",
    description: "Sees what’s yours: your listings, your orders and your role.",
  },
  {
    value: "write",
    label: "Read and write",
    description: "Also acts in your name: publishes, deletes, books, cancels and reviews.",
  },
];

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
];

/** @param formKey idempotency key: submitting the form twice creates one token */
export function TokenForm({
  email,
  formKey,
  lastResult,
}: {
  email: string;
  formKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(personalAccessTokenSchema, {
    id: "new-token",
    lastResult,
    defaultValue: { scope: "read", days: "90" },
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="intent" value="create" />
      <input type="hidden" name="account" value={email} />
      <input type="hidden" name="formKey" value={formKey} />
      <FormErrors form={form} labels={{ name: "Name", scope: "Access", days: "Valid for" }} />
      <Field
        field={fields.name}
        label="Name"
        autoComplete="off"
        hint="What it’s for, like “Price updates”."
      />
      <ChoiceField field={fields.scope} label="Access" choices={scopes} />
      <ChoiceField field={fields.days} label="Valid for" choices={lifetimes} />
      <SubmitButton pending={{ intent: "create" }} className="btn-primary justify-self-start">
        Create token
      </SubmitButton>
    </Form>
  );
}

const scopeLabels = { read: "Read", write: "Read and write" };

export function TokenList({ tokens }: { tokens: SerializeFrom<ListedToken>[] }) {
  if (tokens.length === 0) return <p className="text-quiet">No tokens yet.</p>;
  return (
    <ul className="divide-y divide-base-300">
      {tokens.map((token) => (
        <li key={token.id} className="flex items-center justify-between gap-4 py-3 first:pt-0">
          <TokenFacts {...token} />
          <Form method="post" preventScrollReset className="shrink-0">
            <input type="hidden" name="intent" value="revoke" />
            <input type="hidden" name="_id" value={token.id} />
            <SubmitButton
              pending={{ intent: "revoke", _id: token.id }}
              description={`Token ${token.name}`}
              className="btn-outline btn-sm"
            >
              {token.hasExpired ? "Remove" : "Revoke"}
            </SubmitButton>
          </Form>
        </li>
      ))}
    </ul>
  );
}

function TokenFacts({ name, scope, expiresAt, lastUsedAt, hasExpired }: SerializeFrom<ListedToken>) {
  return (
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">{name}</p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span>{scopeLabels[scope]}</span>
        <span className={hasExpired ? "font-medium text-error" : undefined}>
          {hasExpired ? "Expired" : "Expires"} <Day date={expiresAt} />
        </span>
        <span>
          {lastUsedAt ? (
            <>
              Last used <Day date={lastUsedAt} />
            </>
          ) : (
            "Not used yet"
          )}
        </span>
      </p>
    </div>
  );
}

function Day({ date }: { date: string }) {
  const { dayLabel } = useDateLabels();
  return <time dateTime={date}>{dayLabel(date)}</time>;
}

/** The text of a new token, which is shown this once. */
export function CreatedToken({ name, token }: { name: string; token: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-8 rounded-box border border-success bg-base-200 p-5">
      <h2
        id={id}
        key={token}
        ref={focusOnMount}
        tabIndex={-1}
        className="scroll-mt-24 text-xl font-semibold wrap-anywhere"
      >
        Token “{name}” created
      </h2>
      <p className="mt-1 max-w-prose">
        Copy it now, and keep it like a password. We only store a hash, so you can’t see it again.
      </p>
      <p className="mt-4 rounded-field border border-base-300 bg-base-100 px-4 py-3">
        <code className="wrap-anywhere select-all">{token}</code>
      </p>
      <CopyButton text={token}>Copy token</CopyButton>
    </section>
  );
}

/** Copies a text that is also on the page. Absent without JavaScript. */
function CopyButton({ text, children }: { text: string; children: string }) {
  const hydrated = useHydrated();
  const [message, setMessage] = useState("");
  if (!hydrated) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setMessage("Copied"),
      () => setMessage("Your browser doesn’t allow copying. Select the text instead."),
    );
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <button type="button" className="btn btn-primary" onClick={copy}>
        {children}
      </button>
      <span role="status" className="min-w-0">
        {message}
      </span>
    </div>
  );
}
