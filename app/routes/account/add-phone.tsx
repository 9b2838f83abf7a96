import type { SubmissionResult } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  type TypedResponse,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountChangeRefusal, formRefusal, requireUser } from "#app/auth/guard.server.ts";
import { AddListingForm, CompleteListingPrompt } from "#app/features/listings/add-listing-form.tsx";
import { listingFormSchemaFor } from "#app/features/listings/listing.schema.ts";
import type { ModelChoices } from "#app/features/listings/model-facts.rules.ts";
import { payoutsOfPublisher } from "#app/features/payments/payouts.server.ts";
import { selectDraftPhotos } from "#app/features/photos/photos.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { market } from "#app/market.ts";
import { readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, formKeyOf, invalidForm, parseForm } from "#app/server/forms/forms.server.ts";
import { cutLine } from "#app/server/forms/sanitize-text.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { todayIn } from "#app/time.ts";
import { confirmedIn } from "../message-question.server.ts";

/** Loaded on demand: few requests need it. */
const modelFacts = () => import("#app/features/listings/model-facts.server.ts");

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "You Phone Detail");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", uploads: "fields and files", crawled: false };

const loadDrafts = () => import("#app/features/listings/drafts.server.ts");
const loadEditing = () => import("#app/features/listings/listing-edit.server.ts");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "publish");
  const { name, email } = viewer;
  const { searchParams } = new URL(request.url);
  const [added, draftId] = [searchParams.get("added"), searchParams.get("draft")];
  const toComplete = added && (await (await loadEditing()).findListingToComplete(context.db, viewer, added));
  const draft = draftId ? await (await loadDrafts()).findDraft(context.db, viewer, draftId) : null;
  if (draftId && !draft) throw notFound();
  const formKey = draft?.id ?? crypto.randomUUID();
  const named = namedDevice(searchParams);
  const known = named
    ? { ...named, ...(await (await modelFacts()).fillInModelFacts(context.db, named)).filled }
    : null;
  return {
    seller: { name, email },
    formKey,
    typed: { postDate: todayIn(market.timeZone), ...(draft ? draft.typed : known) },
    photos: draft ? await selectDraftPhotos(context.db, viewer, draft.id) : [],
    models: await (await modelFacts()).suggestModels(context.db, { brandName: "", model: "" }),
    payouts: await payoutsOfPublisher(context.db, context.environment, viewer),
    toComplete,
  };
});

/** The device that a link to the form names; null if it names none. */
function namedDevice(search: URLSearchParams) {
  const [brandName = "", model = "", rom = ""] = ["brandName", "model", "rom"].map((name) =>
    cutLine(search.get(name) ?? "", 60),
  );
  return brandName && model ? { brandName, model, rom } : null;
}

interface ShownAgain {
  /** The key and the photos of the form. */
  kept?: { formKey: string; photos: { id: string; width: number; height: number }[] };
  result: SubmissionResult<string[]>;
  asked?: string[] | undefined;
  /** Of the model that was filled in. */
  ofModel?: ModelChoices | null;
  /** What a button beside a photo has changed. */
  changed?: string;
}

type Shown = Promise<TypedResponse<ShownAgain>>;

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs): Shown => {
  const viewer = await requireUser(context, request, "publish");
  const { form, isTooLarge } = await readUpload(request);
  const { db, environment, secrets } = context;
  const posted = { context, request, viewer, form };
  const formKey = formKeyOf(form) ?? crypto.randomUUID();
  const { changeDraftPhotos } = await import("./change-draft-photos.server.ts");
  const { isPublished, publishListing } = await import("#app/features/listings/publishing.server.ts");
  // First, so that a refused form has its photos.
  const { photos, noneAdded, refusals, refusal, changed } = await changeDraftPhotos(
    posted,
    formKey,
    isTooLarge,
  );
  const kept = { formKey, photos };
  const hasPicture =
    photos.length > 0 || Boolean(form.get("image")) || (await isPublished(db, viewer, formKey));
  const submission = parseForm(form, listingFormSchemaFor(hasPicture));
  const confirmed = confirmedIn(form);
  const refuse = async ({ fieldErrors, asked = [], ...refusal }: FormRefusal = {}) => {
    const refused = invalidForm(submission, {
      ...refusal,
      fieldErrors: refusals.length > 0 ? { ...fieldErrors, photos: refusals } : fieldErrors,
      asked: [...confirmed, ...asked],
    });
    return json({ ...(await refused.json()), kept }, { status: refused.status, headers: refused.headers });
  };
  const early = refusal ?? accountChangeRefusal(form, viewer);
  if (early) return refuse(early);
  const intent = form.get("intent");
  if (changed) {
    if (refusals.length > 0) return refuse();
    const { initialValue } = submission.reply();
    return json({ result: { initialValue }, asked: confirmed, kept, changed });
  }
  if (intent === "fill in") {
    const { initialValue } = submission.reply();
    const { facts, filled } = await (await modelFacts()).fillInModelFacts(context.db, initialValue ?? {});
    const result: SubmissionResult<string[]> = { initialValue: { ...initialValue, ...filled } };
    return json({ result, asked: confirmed, ofModel: facts, kept });
  }
  const isDraft = intent === "save draft" || intent === "delete draft";
  const draftId = isDraft ? formKeyOf(form) : null;
  if (isDraft && !draftId) throw badRequest();
  // Also with photos that were added before, or a link: the seller chose these.
  if (!draftId && (noneAdded || submission.status !== "success"))
    return refuse(isTooLarge ? { status: 413 } : {});
  const notNow = await formRefusal(posted, "publish");
  if (notNow) return refuse(notNow);
  const toDrafts = (message: string) =>
    redirectWithToast(context, "/manage/mysells?tab=drafts", { kind: "success", message });
  const { deleteDraft, draftRefusals, saveDraft } = await loadDrafts();
  if (draftId && intent === "delete draft") {
    await deleteDraft(db, viewer, draftId);
    return toDrafts("Draft deleted");
  }
  if (draftId) {
    const refusal = await saveDraft(db, viewer, draftId, submission.payload);
    if (refusal) return refuse({ status: 409, formErrors: [draftRefusals[refusal]] });
    const message = ["Draft saved", ...refusals].join(". ");
    // Photos are still uploaded on the page.
    if (!form.has("isUploading")) return toDrafts(message);
    return redirectWithToast(context, `/addphone?draft=${draftId}`, { kind: "success", message });
  }
  if (submission.status !== "success") return refuse();
  const outcome = await publishListing(db, viewer, submission.value, {
    formKey,
    holdsFirst: environment.HOLD_FIRST_LISTINGS,
    requiresPayouts: environment.PAYOUTS_REQUIRED,
    needsPhoto: !submission.value.image,
    confirmed,
    limits: environment,
    imeiHashes: await (await loadEditing()).imeiHashesOf(secrets, submission.value.imei),
  });
  if ("refusal" in outcome) return refuse(outcome.refusal);
  const { id, isHeld } = outcome;
  const more = [...(isHeld ? ["We check it first, then it goes on sale."] : []), ...refusals];
  const message = more.length > 0 ? ["Added Successfully.", ...more].join(" ") : "Added Successfully";
  const toPhotos = { to: `/manage/mysells/${id}/photos`, label: "Add photos" };
  const toListings = { to: "/manage/mysells", label: "View your listings" };
  const link = photos.length > 0 && refusals.length === 0 ? toListings : toPhotos;
  // A copy of this listing, in a draft.
  const fields = { intent: "sell similar", _id: id, formKey: crypto.randomUUID() };
  const button = { label: "Publish another", action: "/manage/mysells", fields };
  return redirectWithToast(context, `/addphone?added=${id}`, { kind: "success", message, button, link });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function AddPhone() {
  const { toComplete, ...loaded } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const formDefaults = { ...loaded, ...actionData?.kept };
  return (
    <div className="page-width py-8 sm:py-12">
      <div className="mx-auto max-w-3xl">
        <h1 className="mb-8 text-3xl font-semibold sm:text-4xl">You Phone Detail</h1>
        {toComplete && <CompleteListingPrompt listing={toComplete} />}
        {/* A new key resets the form after success. */}
        <AddListingForm
          key={formDefaults.formKey}
          {...formDefaults}
          lastResult={actionData?.result}
          asked={actionData?.asked}
          ofModel={actionData?.ofModel}
        />
      </div>
    </div>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
