import {
  type FieldMetadata,
  type FormMetadata,
  getFormProps,
  type SubmissionResult,
} from "@conform-to/react";
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { daysLabel, returnDayChoices } from "#app/market.ts";
import { dayLabel } from "#app/time.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { ConfirmedValues, Field, FormErrors, SelectField, TextAreaField } from "#app/ui/field.tsx";
import { ChevronDownIcon, VerifiedIcon } from "#app/ui/icons.tsx";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { recentLoginMinutes } from "../accounts/account.rules.ts";
import {
  closingByEmailSchema,
  closingSchema,
  nameSchema,
  newEmailAddressByLoginSchema,
  newEmailAddressSchema,
  shopSchema,
} from "../accounts/account.schema.ts";
import { type BuyerRecord, BuyerRecordText } from "../reviews/buyer-record.tsx";
import { HiddenUsername } from "./login-sections.tsx";

export function NameSection({
  name,
  email,
  lastResult,
}: {
  name: string;
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(nameSchema, {
    id: "rename",
    lastResult,
    defaultValue: { name },
  });
  return (
    <Section title="Name" intro="Your listings show the new name. Your orders keep the old one.">
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
        <input type="hidden" name="intent" value="name" />
        <input type="hidden" name="account" value={email} />
        <FormErrors form={form} labels={{ name: "Name" }} />
        <Field field={fields.name} label="Name" autoComplete="name" />
        <SubmitButton pending={{ intent: "name" }} className="btn-primary justify-self-start">
          Change name
        </SubmitButton>
      </Form>
    </Section>
  );
}

const returnChoices = Object.fromEntries(
  returnDayChoices.map((days) => [days, days === 0 ? "None" : `Within ${daysLabel(days)}`]),
);

/** What a seller says on their page. */
export function ShopSection({
  shopText,
  returnDays,
  inProductFeed,
  account,
  sellerId,
  lastResult,
  asked,
}: {
  shopText: string;
  /** Null where the market has no payment provider. */
  returnDays: number | null;
  inProductFeed: boolean;
  account: string;
  sellerId: string;
  lastResult: SubmissionResult<string[]> | undefined;
  /** What the seller was asked about in the text. */
  asked: string[] | undefined;
}) {
  const defaultValue = {
    shopText,
    ...(returnDays !== null && { returnDays: String(returnDays) }),
    inProductFeed: inProductFeed ? "yes" : "no",
  };
  const [form, fields] = useSchemaForm(shopSchema, { id: "shop", lastResult, defaultValue });
  return (
    <Section
      title="Shop"
      intro={
        <>
          Buyers read it on{" "}
          <Link to={`/sellers/${sellerId}`} className="link">
            your seller page
          </Link>
          .
        </>
      }
    >
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
        <input type="hidden" name="intent" value="shop" />
        <ConfirmedValues asked={lastResult && asked} />
        {Object.entries(defaultValue).map(([name, value]) => (
          <input
            key={name}
            type="hidden"
            name={`shown-${name}`}
            // A refused form has no field that was empty.
            value={String(
              lastResult?.initialValue ? (lastResult.initialValue[`shown-${name}`] ?? "") : value,
            )}
          />
        ))}
        <input type="hidden" name="account" value={account} />
        <FormErrors
          form={form}
          labels={{ shopText: "About your shop", returnDays: "Returns", inProductFeed: "Google Shopping" }}
        />
        <TextAreaField
          field={fields.shopText}
          label="About your shop"
          rows={5}
          hint="What you sell, how you test it, and when you ship. Up to 1,000 characters."
        />
        {returnDays !== null && (
          <SelectField
            field={fields.returnDays}
            label="Returns"
            hint="When a buyer changes their mind: they send it back, and get their money back. For orders from now on."
            options={returnChoices}
            none={null}
          />
        )}
        <SelectField
          field={fields.inProductFeed}
          label="Google Shopping"
          hint="Buyers who search there find your devices that have photos, and come here to book."
          options={{ yes: "Show my devices", no: "Don’t show them" }}
          none={null}
        />
        <SubmitButton pending={{ intent: "shop" }} className="btn-primary justify-self-start">
          Save shop
        </SubmitButton>
      </Form>
    </Section>
  );
}

export function EmailAddressSection({
  email,
  verified,
  requested,
  proof,
  lastResult,
}: {
  email: string;
  verified: boolean;
  /** The address that it is about to be. */
  requested: string | null;
  proof: AddressProof;
  lastResult: LastResult;
}) {
  return (
    <Section title="Email" intro="It’s how you log in, and where we write to you.">
      <p className="font-medium wrap-anywhere">
        <EmailAddress email={email} />
      </p>
      {verified ? (
        <p className="mt-1 flex items-center gap-1.5 text-sm font-medium text-success">
          <VerifiedIcon className="size-4" />
          Confirmed
        </p>
      ) : (
        <Form method="post" action="/manage/account/verify" preventScrollReset>
          <input type="hidden" name="redirectTo" value="/manage/account" />
          <p className="mt-1 mb-5 text-sm text-quiet">
            Not confirmed yet. Open the link in our email, or get a new one. Until then, we only email you
            about your orders and offers.
          </p>
          <SubmitButton action="/manage/account/verify" className="btn-outline">
            Send me a link
          </SubmitButton>
        </Form>
      )}
      {requested && (
        <p className="mt-4 text-sm text-quiet">
          Open the link we’ve sent to{" "}
          <span className="font-medium">
            <EmailAddress email={requested} />
          </span>{" "}
          to make it your address. It works for 24 hours.
        </p>
      )}
      <details className="group mt-4" open={lastResult !== undefined}>
        <summary className="flex items-center gap-2 rounded-field py-3 font-medium">
          <ChevronDownIcon className="size-4 group-open:rotate-180" />
          Change email address
        </summary>
        <NewAddressForm email={email} proof={proof} lastResult={lastResult} />
      </details>
    </Section>
  );
}

/** What the owner of an account shows before its address changes; "none": the last login was too long ago. */
type AddressProof = "password" | "login" | "none";

function NewAddressForm({
  email,
  proof,
  lastResult,
}: {
  email: string;
  proof: AddressProof;
  lastResult: LastResult;
}) {
  const [form, fields] = useSchemaForm(
    proof === "password" ? newEmailAddressSchema : newEmailAddressByLoginSchema,
    {
      id: "new-address",
      lastResult,
    },
  );
  if (proof === "none") {
    return (
      <p className="mt-2">
        You logged in more than {recentLoginMinutes} minutes ago. To change your email address,{" "}
        <Link to="/login?redirectTo=/manage/account&again=yes" className="link font-medium text-primary">
          log in again
        </Link>
        .
      </p>
    );
  }
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="mt-2 grid gap-5">
      <input type="hidden" name="intent" value="email address" />
      <input type="hidden" name="account" value={email} />
      <FormErrors
        form={form}
        labels={{ newEmail: "New email address", currentPassword: "Current password" }}
      />
      <HiddenUsername email={email} />
      <Field
        field={fields.newEmail}
        label="New email address"
        type="email"
        autoComplete="email"
        hint="We’ll send a link there. Your address changes when you open it, and you’re logged out everywhere else."
      />
      {proof === "password" && (
        <Field
          field={fields.currentPassword}
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
      )}
      <SubmitButton pending={{ intent: "email address" }} className="btn-outline justify-self-start">
        Send link
      </SubmitButton>
    </Form>
  );
}

export function DataSection() {
  return (
    <Section
      title="My data"
      intro="Everything we store about you in one JSON file: profile, listings, orders and their problems, addresses, offers, reviews, messages, saved devices and searches, notifications, reports, passkeys, tokens and sessions."
    >
      {/* Not by Remix: the response is a file. */}
      <Form method="post" action="/manage/account/export" reloadDocument>
        <SubmitButton action="/manage/account/export" className="btn-outline">
          Download my data
        </SubmitButton>
      </Form>
    </Section>
  );
}

/** Why a suspended account cannot be deleted. @param until the end of the suspension, null if it is for good */
export function whySuspendedStay(until: string | null, label = dayLabel): string {
  return until
    ? `Your account is suspended until ${label(until)}. You can delete it after that.`
    : "Your account is suspended permanently. Ask us on the Report page to delete it.";
}

/** Takes the place of the form while something is in the way. */
export function ClosingObstaclesSection({ obstacles }: { obstacles: string[] }) {
  return (
    <Frame>
      <ul className="mt-3 grid max-w-prose gap-3">
        {obstacles.map((obstacle) => (
          <li key={obstacle}>{obstacle}</li>
        ))}
      </ul>
    </Frame>
  );
}

/** Takes the place of the form while the account is suspended. */
export function NoClosingSection({ suspendedUntil }: { suspendedUntil: string | null }) {
  return (
    <Frame>
      <p className="mt-3 max-w-prose">{whySuspendedStay(suspendedUntil, useDateLabels().dayLabel)}</p>
      {!suspendedUntil && (
        <p className="mt-3">
          <Link to="/report" className="link">
            Open the Report page
          </Link>
        </p>
      )}
    </Frame>
  );
}

type LastResult = SubmissionResult<string[]> | undefined;

/** Deletes the account, confirmed by the password. */
export function ClosingSection({ email, lastResult }: { email: string; lastResult: LastResult }) {
  const [form, fields] = useSchemaForm(closingSchema, {
    id: "closing",
    lastResult,
  });
  return (
    <ClosingForm form={form} labels={{ password: "Password" }}>
      <HiddenUsername email={email} />
      <Field field={fields.password} label="Password" type="password" autoComplete="current-password" />
    </ClosingForm>
  );
}

/** What sellers see of the viewer as a buyer. */
export function BuyerRecordSection({ record }: { record: BuyerRecord }) {
  return (
    <Section
      title="Your record as a buyer"
      intro="Sellers see it with your bookings, offers and messages. Nobody else does."
    >
      <p className="tabular-nums">
        <BuyerRecordText record={record} />
      </p>
    </Section>
  );
}

/** Deletes an account without a password, confirmed by its email address and a recent login. */
export function ClosingByAddressSection({ lastResult }: { lastResult: LastResult }) {
  const [form, fields] = useSchemaForm(closingByEmailSchema, {
    id: "closing",
    lastResult,
  });
  return (
    <ClosingForm form={form} labels={{ email: "Your email address" }}>
      <p>
        You have no password, so you can only delete your account within 10 minutes of logging in.{" "}
        <Link to="/login?redirectTo=/manage/account/data&again=yes" className="link">
          Log in again
        </Link>
      </p>
      <Field field={fields.email as FieldMetadata<string>} label="Your email address" type="email" />
    </ClosingForm>
  );
}

function ClosingForm<Shape extends Record<string, unknown>>({
  form,
  labels,
  children,
}: {
  form: FormMetadata<Shape>;
  labels: { [Name in keyof Shape & string]?: string };
  children: ReactNode;
}) {
  return (
    <Frame>
      <div className="mt-3 mb-6 grid max-w-prose gap-3">
        <p>
          We delete right away: your name, email address and password, your listings, offers and addresses,
          your saved devices and searches, your notifications and sessions.{" "}
          <strong>You can’t undo this.</strong>
        </p>
        <p className="text-quiet">
          We keep your reviews, messages and what you wrote about problems, signed “Former member”. We keep
          your reports too, without your name and address if you’ve confirmed your email.
        </p>
      </div>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid max-w-lg gap-5">
        <input type="hidden" name="intent" value="close" />
        <FormErrors form={form} labels={labels} />
        {children}
        <SubmitButton pending={{ intent: "close" }} className="btn-error justify-self-start">
          Delete my account
        </SubmitButton>
      </Form>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const id = "delete-account";
  return (
    <section aria-labelledby={id} className="mt-8 rounded-box border border-error p-5 sm:p-8">
      <h2 id={id} className="text-xl font-semibold">
        Delete my account
      </h2>
      {children}
    </section>
  );
}
