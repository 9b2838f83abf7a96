import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Field, FormErrors } from "#app/ui/field.tsx";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { recentLoginMinutes } from "../accounts/account.rules.ts";
import { passwordHint, passwordSchema } from "../accounts/account.schema.ts";
import { PasskeyButton } from "../accounts/passkey-button.tsx";
import type { PasskeyOutcome } from "../accounts/passkey-ceremony.ts";
import type { ListedPasskey } from "../accounts/passkeys.server.ts";
import type { OpenSession } from "../accounts/sessions.server.ts";

export function PasswordSection({
  email,
  lastResult,
}: {
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(passwordSchema, {
    id: "new-password",
    lastResult,
  });
  return (
    <Section
      title="Password"
      intro="A new password logs you out everywhere else and ends your access tokens."
    >
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
        <input type="hidden" name="intent" value="password" />
        <FormErrors form={form} labels={{ currentPassword: "Current password", password: "New password" }} />
        <HiddenUsername email={email} />
        <Field
          field={fields.currentPassword}
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <Field
          field={fields.password}
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
        />
        <SubmitButton pending={{ intent: "password" }} className="btn-primary justify-self-start">
          Change password
        </SubmitButton>
      </Form>
    </Section>
  );
}

/** Sends the link by email, since there is no current password to ask for at an open browser. */
export function FirstPasswordSection() {
  return (
    <Section
      title="Password"
      intro="You log in without a password. Set one to log in with your email address, too."
    >
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="password link" />
        <p className="mb-5">
          We’ll send you a link that works once. Your new password logs you out everywhere and ends your
          access tokens.
        </p>
        <SubmitButton pending={{ intent: "password link" }} className="btn-outline">
          Send me a link to set a password
        </SubmitButton>
      </Form>
    </Section>
  );
}

/** Shows password managers which account a form belongs to. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden />;
}

const action = "/manage/account/passkeys";

/** The viewer's passkeys. `mayChange`: logged in recently; `mayAdd`: passkeys also work at this host. */
export function PasskeySection({
  passkeys,
  mayChange,
  mayAdd,
  create,
}: {
  passkeys: SerializeFrom<ListedPasskey>[];
  mayChange: boolean;
  mayAdd: boolean;
  create: () => Promise<PasskeyOutcome>;
}) {
  if (passkeys.length === 0 && !mayAdd && mayChange) return null;
  return (
    <Section
      title="Passkeys"
      intro={`Log in with your fingerprint, face or PIN, no password needed. Passkeys only work on ${brand.name}, so nobody can phish yours.`}
      className={passkeys.length === 0 ? "noscript:hidden" : ""}
    >
      {passkeys.length > 0 && (
        <ul className="mb-5 divide-y divide-base-300">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} removable={mayChange} />
          ))}
        </ul>
      )}
      {mayAdd && (
        <div className="noscript:hidden">
          <PasskeyButton start={create} className="btn-outline justify-self-start">
            Add a passkey
          </PasskeyButton>
        </div>
      )}
      {!mayChange && (
        <p>
          You logged in more than {recentLoginMinutes} minutes ago. To change your passkeys,{" "}
          <Link
            to="/login?redirectTo=/manage/account/security&again=yes"
            className="link font-medium text-primary"
          >
            log in again
          </Link>
          .
        </p>
      )}
    </Section>
  );
}

function PasskeyRow({ passkey, removable }: { passkey: SerializeFrom<ListedPasskey>; removable: boolean }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex items-center justify-between gap-4 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-quiet">
          Added <Day date={createdAt} /> ·{" "}
          {lastUsedAt ? (
            <>
              Last used <Day date={lastUsedAt} />
            </>
          ) : (
            "Not used yet"
          )}
        </p>
      </div>
      {removable && (
        <Form method="post" action={action} preventScrollReset>
          <input type="hidden" name="_id" value={id} />
          <SubmitButton
            action={action}
            pending={{ _id: id }}
            className="btn-sm btn-outline btn-error"
            description={`Passkey ${name}`}
          >
            Remove
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

function Day({ date }: { date: string }) {
  const { dayLabel } = useDateLabels();
  return <time dateTime={date}>{dayLabel(date)}</time>;
}

/** The others are in a `<details>`. */
const visibleSessions = 5;

export function SessionsSection({
  sessions,
  count,
}: {
  sessions: SerializeFrom<OpenSession>[];
  count: number;
}) {
  const more = sessions.slice(visibleSessions);
  const unlisted = count - sessions.length;
  return (
    <Section
      title="Sessions"
      intro="Where you’re logged in. Don’t recognize one? Log it out and change your password."
    >
      <SessionList sessions={sessions.slice(0, visibleSessions)} />
      {more.length > 0 && (
        <details className="group border-t border-base-300">
          <summary className="flex items-center gap-2 rounded-field py-3 font-medium">
            <ChevronDownIcon className="size-4 group-open:rotate-180" />
            {more.length} more
          </summary>
          <SessionList sessions={more} />
          {unlisted > 0 && <p className="py-3 text-sm text-quiet">And {unlisted} more, last used earlier.</p>}
        </details>
      )}
      {count > 1 && (
        <Form method="post" preventScrollReset className="mt-5">
          <input type="hidden" name="intent" value="log out others" />
          <SubmitButton pending={{ intent: "log out others" }} className="btn-outline">
            Log out all others
          </SubmitButton>
        </Form>
      )}
    </Section>
  );
}

function SessionList({ sessions }: { sessions: SerializeFrom<OpenSession>[] }) {
  return (
    <ul className="divide-y divide-base-300">
      {sessions.map((session) => (
        <li key={session.idHash} className="flex items-center justify-between gap-4 py-3 first:pt-0">
          <SessionFacts {...session} />
          <Form method="post" preventScrollReset className="shrink-0">
            <input type="hidden" name="intent" value="log out" />
            <input type="hidden" name="session" value={session.idHash} />
            <SubmitButton
              pending={{ intent: "log out", session: session.idHash }}
              description={session.device}
              className="btn-outline btn-sm"
            >
              Log out
            </SubmitButton>
          </Form>
        </li>
      ))}
    </ul>
  );
}

function SessionFacts({ device, since, lastSeen, isCurrent }: SerializeFrom<OpenSession>) {
  const { dateTimeLabel } = useDateLabels();
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">{device}</span>
        {isCurrent && (
          <span className="badge badge-sm border-transparent bg-neutral font-medium text-neutral-content">
            This device
          </span>
        )}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span>
          Since <time dateTime={since}>{dateTimeLabel(since)}</time>
        </span>
        <span>
          Last seen <time dateTime={lastSeen}>{dateTimeLabel(lastSeen)}</time>
        </span>
      </p>
    </div>
  );
}
