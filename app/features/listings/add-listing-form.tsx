import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form, Link, useSubmit } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { market } from "#app/market.ts";
import { todayIn } from "#app/time.ts";
import { SubmitBar, SubmitButton } from "#app/ui/button.tsx";
import { useOptionalJson } from "#app/ui/fetch-optional-json.ts";
import { ConfirmedValues, FormErrors } from "#app/ui/field.tsx";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { DraftPhotos } from "../photos/photo-form.tsx";
import { parsePhotoIntent } from "../photos/photo-intent.rules.ts";
import type { ListedPhoto } from "../photos/photo-list.tsx";
import { attributesWith } from "./attributes.ts";
import type { PublisherPayouts } from "./listing.schema.ts";
import { listingFormSchema, listingFormSchemaFor, noPictureText } from "./listing.schema.ts";
import {
  ImeiField,
  ListingFields,
  listingLabels,
  OptionalFields,
  optionalLabels,
} from "./listing-fields.tsx";
import {
  type ModelChoices,
  type ModelFacts,
  unknownModelText,
  valuesFromModel,
} from "./model-facts.rules.ts";

/**
 * @param formKey idempotency key: submitting the form twice creates one listing
 * @param typed the values of a draft
 * @param photos of the draft with this key
 * @param asked doubtful values that the seller was asked about: submitting them again confirms them
 * @param ofModel the choices of the model that the server has just filled in; null if it doesn't know the model
 */
export function AddListingForm({
  seller,
  formKey,
  typed,
  photos,
  models,
  payouts,
  lastResult,
  asked,
  ofModel,
}: {
  seller: { name: string; email: string };
  formKey: string;
  typed: Record<string, string>;
  photos: ListedPhoto[];
  models: KnownName[];
  payouts: PublisherPayouts | null;
  lastResult: SubmissionResult<string[]> | undefined;
  asked: string[] | undefined;
  ofModel: ModelChoices | null | undefined;
}) {
  const submit = useSubmit();
  const [stored, setStored] = useState(photos);
  useEffect(() => setStored(photos), [photos]);
  const [form, fields] = useSchemaForm(listingFormSchema, {
    id: "phone",
    lastResult,
    defaultValue: typed,
    schemaFor: (form) =>
      listingFormSchemaFor(
        stored.length > 0 || form.getAll("photos").some(isFilled) || Boolean(form.get("image")),
      ),
  });

  const { brandName, model, rom } = fields;
  const known = useModelFacts(form.id, { brandName: brandName.value, model: model.value, rom: rom.value });
  const choices = known?.facts ?? ofModel ?? undefined;
  // While a name is typed that others begin with, nothing is said.
  const isUnknown = known
    ? known.facts === null && known.models.length === 0 && Boolean(brandName.value && model.value)
    : ofModel === null;
  const { onSubmit, ...props } = getFormProps(form);
  useEffect(() => proposeOwnDay(form.id), [form.id]);

  return (
    <Form
      method="post"
      encType="multipart/form-data"
      {...props}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        // A draft may lack anything.
        if (submitter?.getAttribute("name") !== "intent") return onSubmit(event);
        if (!parsePhotoIntent(submitter.getAttribute("value"))) return;
        // The page stays at the photo.
        event.preventDefault();
        submit(submitter as HTMLButtonElement, { preventScrollReset: true });
      }}
      autoComplete="off"
      className="grid gap-6"
    >
      {/* Enter presses the first button of a form, which is one of a photo else. */}
      {stored.length > 0 && <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />}
      {/* Autocomplete is off: after a reload some browsers would restore the key of an earlier form. */}
      <input type="hidden" name="formKey" value={formKey} />
      <input type="hidden" name="account" value={seller.email} />
      <ConfirmedValues asked={asked} />
      <FormErrors
        form={form}
        labels={{
          photos: fields.photos.errors?.includes(noPictureText) ? "Add a photo" : "Photos",
          ...listingLabels,
          ...optionalLabels,
        }}
      />
      <DraftPhotos field={fields.photos} formKey={formKey} photos={stored} onAdded={setStored} />
      <ListingFields
        fields={fields}
        seller={seller}
        models={known?.models ?? models}
        sizes={choices}
        payouts={payouts}
        fillIn={
          <p role="status" className="text-sm text-quiet empty:hidden sm:col-span-2">
            {isUnknown && unknownModelText}
            {known?.facts &&
              `We filled in what we know of the ${known.facts.brandName} ${known.facts.model}. Check that it matches yours.`}
          </p>
        }
      />
      {/* Open as soon as something is stated, so that a refused form shows it again. */}
      <details
        open={
          [...attributesWith("optional"), "imei" as const, "ownNumber" as const].some(
            (name) => fields[name].value || fields[name].errors,
          ) || undefined
        }
        className="group rounded-box border border-base-300"
      >
        <summary className="flex items-center gap-3 p-5">
          <span className="min-w-0 flex-1">
            <span className="block text-xl font-semibold">Sells faster with more details</span>
            <span className="text-quiet">
              Condition, battery, IMEI, box, delivery: what buyers ask about first.
            </span>
          </span>
          <ChevronDownIcon className="size-6 shrink-0 group-open:rotate-180" />
        </summary>
        <div className="p-5 pt-1">
          <OptionalFields fields={fields} colors={choices?.colors}>
            <ImeiField field={fields.imei} />
          </OptionalFields>
        </div>
      </details>
      <SubmitBar
        other={
          <>
            <SubmitButton intent="save draft" formNoValidate className="btn-outline">
              Save as draft
            </SubmitButton>
            {/* Scripts fill in as you type. After "Submit", which Enter presses. */}
            <SubmitButton intent="fill in" formNoValidate className="btn-outline hidden noscript:inline-flex">
              Fill in
            </SubmitButton>
          </>
        }
      >
        Submit
      </SubmitBar>
    </Form>
  );
}

interface KnownName {
  brandName: string;
  model: string;
}

const debounceMs = 300;

/**
 * Suggestions for what is typed as brand and model, and what is known of it, with which it fills in what the seller has
 * not typed.
 */
function useModelFacts(formId: string, typed: Partial<Record<"brandName" | "model" | "rom", string>>) {
  const { brandName = "", model = "", rom } = typed;
  const name = new URLSearchParams({ brandName: brandName.trim(), model: model.trim() });
  const path = brandName.trim() || model.trim() ? `/addphone/models?${name}` : null;
  const found = useOptionalJson<{ models: KnownName[]; facts: ModelFacts | null }>(path, debounceMs)?.data;
  const filledIn = useRef<Record<string, string>>({});
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!found?.facts || !(form instanceof HTMLFormElement)) return;
    for (const [name, value] of Object.entries(valuesFromModel(found.facts, rom))) {
      const field = form.elements.namedItem(name);
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const isOwn = field.value !== "" && field.value !== filledIn.current[name];
      if (isOwn || field === document.activeElement || value === field.value) continue;
      field.value = value;
      filledIn.current[name] = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, [formId, found, rom]);
  return found;
}

/** An empty file input has a file without content. */
const isFilled = (file: FormDataEntryValue) => file instanceof File && file.size > 0;

/** The server proposes the day of the market. Where the seller is, it may be another. */
function proposeOwnDay(formId: string) {
  const input = document.querySelector<HTMLInputElement>(`#${formId} [name=postDate]`);
  if (input?.value === todayIn(market.timeZone)) input.value = todayIn(undefined);
}

export function CompleteListingPrompt({
  listing: { id, name, hasPhotos },
}: {
  listing: { id: string; name: string; hasPhotos: boolean };
}) {
  return (
    <section
      aria-labelledby="complete-listing"
      className="mb-8 rounded-box border border-base-300 bg-base-200 p-5"
    >
      <h2 id="complete-listing" className="text-xl font-semibold wrap-anywhere">
        {name} is now for sale
      </h2>
      <p className="mt-1 max-w-prose">
        {hasPhotos
          ? "Buyers look at the condition first. Add it now, or later under My Sells."
          : "Buyers look at condition and photos first. Add them now, or later under My Sells."}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to={`/manage/mysells/${id}/edit`} className="btn btn-outline">
          Add condition and battery
        </Link>
        {!hasPhotos && (
          <Link to={`/manage/mysells/${id}/photos`} className="btn btn-outline">
            Add photos
          </Link>
        )}
      </div>
    </section>
  );
}
