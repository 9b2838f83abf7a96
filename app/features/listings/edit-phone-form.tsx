import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { SubmitBar } from "#app/ui/button.tsx";
import { FormErrors } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { ConditionFields, conditionLabels } from "./condition-fields.tsx";
import { listingEditSchema } from "./listing-edit.schema.ts";
import type { OwnListing } from "./listing-edit.server.ts";
import { toAmount } from "./money.rules.ts";
import { PhoneFields, phoneLabels } from "./phone-fields.tsx";

/** While the listing is reserved, the device's identity is read-only. */
export function EditPhoneForm({
  listing,
  account,
  lastResult,
}: {
  listing: OwnListing;
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const { hasImei, marketCents, sellingCents, ...facts } = listing;
  const [form, fields] = useSchemaForm(listingEditSchema, {
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
      <FormErrors form={form} labels={{ ...conditionLabels, ...phoneLabels }} />
      <section aria-labelledby="condition-heading" className="grid gap-5">
        <h2 id="condition-heading" className="text-xl font-semibold">
          About your device
        </h2>
        <ConditionFields fields={fields} imei={{ isStored: hasImei, isLocked: isReserved }} />
      </section>
      <section aria-labelledby="details-heading" className="grid gap-5">
        <h2 id="details-heading" className="text-xl font-semibold">
          Listing details
        </h2>
        <PhoneFields fields={fields} fixed={isReserved ? listing : undefined} />
      </section>
      <SubmitBar>Save changes</SubmitBar>
    </Form>
  );
}
