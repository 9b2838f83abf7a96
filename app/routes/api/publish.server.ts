import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { NewListing } from "#app/features/listings/listing.schema.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { insertedResponse } from "./results.ts";

type Listing = Omit<NewListing, "image"> & { image?: string | undefined; confirmed?: string[] | undefined };

export const publishingConflict =
  "Another of your listings has the own number, a device with the IMEI is already listed, or what you list needs to be `confirmed`.";

/**
 * Publishes a device, or says what a problem says of it.
 *
 * @param options.at the JSON pointer of the listing in the body
 * @param options.needsPhoto whether it takes a photo of the draft with the key
 */
export async function publish(
  { db, environment, secrets }: AppLoadContext,
  viewer: Viewer,
  { confirmed, ...listing }: Listing,
  formKey: string | null,
  { at = "#", needsPhoto = false } = {},
) {
  const { publishListing } = await import("#app/features/listings/publishing.server.ts");
  const { imeiHashesOf } = await import("#app/features/listings/listing-edit.server.ts");
  const outcome = await publishListing(db, viewer, listing, {
    formKey,
    holdsFirst: environment.HOLD_FIRST_LISTINGS,
    requiresPayouts: environment.PAYOUTS_REQUIRED,
    needsPhoto,
    confirmed,
    limits: environment,
    imeiHashes: await imeiHashesOf(secrets, listing.imei),
  });
  if ("id" in outcome) return outcome;
  const { status = 422, retryAfter, formErrors = [], fieldErrors = {}, asked } = outcome.refusal;
  const { remarks } = outcome;
  if (remarks) {
    const errors = remarks.map(({ field, text }) => ({ pointer: `${at}/${field}`, detail: text }));
    return { refusal: { status: 409, detail: textOf(remarks), asked, errors }, headers: {} };
  }
  const detail = [...formErrors, ...Object.values(fieldErrors).flat()].join(" ");
  const headers: Record<string, string> = retryAfter ? { "Retry-After": String(retryAfter) } : {};
  return { refusal: { status, detail }, headers };
}

const textOf = (remarks: { text: string }[]) => remarks.map(({ text }) => text).join(" ");

/** Responds to a device that was published or not. */
export function publishedResponse(outcome: Awaited<ReturnType<typeof publish>>): Response {
  if ("id" in outcome) return insertedResponse(outcome.id);
  const { status, detail, ...more } = outcome.refusal;
  return problemDetails(status, detail, { ...more, headers: outcome.headers });
}
