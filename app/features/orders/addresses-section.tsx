import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { Section } from "#app/ui/section.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { maxAddresses, savedAddressSchema } from "./booking.schema.ts";
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
  return (
    <Section
      title="Delivery addresses"
      intro={`Up to ${maxAddresses}, to choose from when you book. A seller sees the one you choose, and only for that order.`}
    >
      {addresses.length > 0 && (
        <ul className="mb-5 divide-y divide-base-300">
          {addresses.map(({ id, address, phone }) => (
            <li key={id} className="flex items-center justify-between gap-4 py-3 first:pt-0">
              <div className="min-w-0 wrap-anywhere">
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
            </li>
          ))}
        </ul>
      )}
      {addresses.length < maxAddresses ? (
        <NewAddress key={addresses.length} email={email} lastResult={lastResult} />
      ) : (
        <p className="text-quiet">You’ve saved {maxAddresses} addresses. Delete one to add another.</p>
      )}
    </Section>
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
