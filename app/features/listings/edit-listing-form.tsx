import type { FieldMetadata } from "@conform-to/react";
import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitBar, SubmitButton } from "#app/ui/button.tsx";
import { ConfirmedValues, FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { shownTexts } from "./edited-since.rules.ts";
import type { PublisherPayouts } from "./listing.schema.ts";
import { schemaForEditOf } from "./listing-edit.schema.ts";
import type { OwnListing } from "./listing-edit.server.ts";
import {
  ImeiField,
  ListingFields,
  listingLabels,
  OptionalFields,
  optionalLabels,
} from "./listing-fields.tsx";
import { toAmount } from "./money.rules.ts";

/**
 * While the listing is reserved, the device's identity is read-only.
 *
 * @param asked doubtful values that the seller was asked about
 */
export function EditListingForm({
  listing,
  account,
  lastResult,
  asked,
  payouts,
}: {
  listing: OwnListing;
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
  asked: string[] | undefined;
  payouts: PublisherPayouts | null;
}) {
  const { hasImei, marketCents, sellingCents, ...facts } = listing;
  const [form, fields] = useSchemaForm(schemaForEditOf(listing), {
    id: "listing",
    lastResult,
    defaultValue: {
      ...facts,
      marketPrice: String(toAmount(marketCents)),
      sellingPrice: String(toAmount(sellingCents)),
    },
  });
  const isReserved = listing.status === "reserved";

  return (
    <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-10">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="base" value={JSON.stringify(shownTexts(listing))} />
      <ConfirmedValues asked={asked} />
      <FormErrors form={form} labels={{ ...optionalLabels, ...listingLabels }} />
      <section aria-labelledby="condition-heading" className="grid gap-5">
        <h2 id="condition-heading" className="text-xl font-semibold">
          About your device
        </h2>
        <OptionalFields fields={fields}>
          <StoredImeiField
            field={fields.imei}
            removeField={fields.removeImei}
            isStored={hasImei}
            isLocked={isReserved}
          />
        </OptionalFields>
      </section>
      <section aria-labelledby="details-heading" className="grid gap-5">
        <h2 id="details-heading" className="text-xl font-semibold">
          Listing details
        </h2>
        <ListingFields fields={fields} fixed={isReserved ? listing : undefined} payouts={payouts} />
      </section>
      {listing.isReturned ? (
        <>
          <input type="hidden" name={fields.listAgain.name} value="on" />
          <SubmitBar
            other={
              <SubmitButton intent="save draft" className="btn-outline">
                Save as draft
              </SubmitButton>
            }
          >
            List it again
          </SubmitBar>
        </>
      ) : (
        <SubmitBar>Save changes</SubmitBar>
      )}
    </Form>
  );
}

function StoredImeiField({
  field,
  removeField,
  isStored,
  isLocked,
}: {
  field: FieldMetadata<string | undefined>;
  removeField: FieldMetadata<boolean | undefined>;
  isStored: boolean;
  isLocked: boolean;
}) {
  if (isLocked) return <p className="text-sm text-quiet">The IMEI is locked while the device is reserved.</p>;
  return (
    <div>
      <ImeiField
        field={field}
        hint={isStored ? "We have your IMEI. Enter a new one to replace it, or leave this empty." : undefined}
      />
      {isStored && (
        <label className="mt-3 flex min-h-6 items-center gap-3">
          <input type="checkbox" name={removeField.name} className="size-5 shrink-0 accent-primary" />
          Remove the saved IMEI
        </label>
      )}
    </div>
  );
}
