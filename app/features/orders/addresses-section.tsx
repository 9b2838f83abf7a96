import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { changedSavedAddressSchema, maxAddresses, savedAddressSchema } from "./booking.schema.ts";
import type { SavedAddress } from "./saved-addresses.server.ts";

/** The saved delivery addresses on My account. */
export function AddressesSection({
  addresses,
  email,
  lastResult,
}: {
  addresses: SavedAddress[];
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const intent = lastResult?.initialValue?.intent;
  const resultOfChange = (id: string) =>
    intent === "change address" && lastResult?.initialValue?.savedAddress === id ? lastResult : undefined;
  return (
    <Section
      title="Delivery addresses"
      intro={`Up to ${maxAddresses}, to choose from when you book. A seller sees the one you choose, and only for that order.`}
    >
      {addresses.length > 0 && (
        <ul className="mb-5 divide-y divide-base-300">
          {addresses.map(({ id, address, phone }) => (
            <li
              key={[id, address, phone].join()}
              className="flex flex-wrap items-center justify-between gap-x-4 py-3 first:pt-0"
            >
              <div className="min-w-0 flex-1 wrap-anywhere">
                <p className="whitespace-pre-line">{address}</p>
                <p className="text-sm text-quiet">{phone}</p>
              </div>
              <Form method="post" preventScrollReset className="shrink-0">
                <input type="hidden" name="intent" value="delete address" />
                <input type="hidden" name="address" value={id} />
                <SubmitButton
                  pending={{ intent: "delete address", address: id }}
                  description={address}
                  className="btn-outline btn-sm"
                >
                  Delete
                </SubmitButton>
              </Form>
              <ChangedAddress email={email} saved={{ id, address, phone }} lastResult={resultOfChange(id)} />
            </li>
          ))}
        </ul>
      )}
      {addresses.length < maxAddresses ? (
        <NewAddress
          key={addresses.length}
          email={email}
          lastResult={intent === "add address" ? lastResult : undefined}
        />
      ) : (
        <p className="text-quiet">You’ve saved {maxAddresses} addresses. Delete one to add another.</p>
      )}
    </Section>
  );
}

/** The form that changes a saved address, folded until it is asked for. */
function ChangedAddress({
  saved: { id, address, phone },
  email,
  lastResult,
}: {
  saved: SavedAddress;
  /** Of the viewer. */
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(changedSavedAddressSchema, {
    id: `address-${id}`,
    lastResult,
    defaultValue: { address, phone },
  });
  return (
    <details className="basis-full" open={lastResult !== undefined}>
      <summary className="link inline-flex min-h-9 items-center">
        Edit<span className="sr-only"> {address}</span>
      </summary>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5 pt-2 pb-4">
        <input type="hidden" name="intent" value="change address" />
        <input type="hidden" name="account" value={email} />
        <input type="hidden" name="savedAddress" value={id} />
        <FormErrors form={form} labels={{ address: "Address", phone: "Phone" }} />
        <TextAreaField field={fields.address} label="Address" rows={2} autoComplete="street-address" />
        <Field field={fields.phone} label="Phone" type="tel" autoComplete="tel" />
        <SubmitButton
          pending={{ intent: "change address", savedAddress: id }}
          className="btn-primary justify-self-start"
        >
          Save address
        </SubmitButton>
      </Form>
    </details>
  );
}

function NewAddress({
  email,
  lastResult,
}: {
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useSchemaForm(savedAddressSchema, { id: "new-address", lastResult });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <input type="hidden" name="intent" value="add address" />
      <input type="hidden" name="account" value={email} />
      <FormErrors form={form} labels={{ address: "Address", phone: "Phone" }} />
      <TextAreaField field={fields.address} label="Address" rows={2} autoComplete="street-address" />
      <Field field={fields.phone} label="Phone" type="tel" autoComplete="tel" />
      <SubmitButton pending={{ intent: "add address" }} className="btn-outline justify-self-start">
        Add address
      </SubmitButton>
    </Form>
  );
}
