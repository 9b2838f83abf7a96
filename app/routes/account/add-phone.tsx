import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import { AddPhoneForm, CompleteListingPrompt } from "#app/features/listings/add-phone-form.tsx";
import { fairPrice } from "#app/features/listings/fair-price.server.ts";
import { isHeldForApproval } from "#app/features/listings/first-listing-hold.server.ts";
import { findListingToComplete } from "#app/features/listings/listing-edit.server.ts";
import { phoneFormSchema, placeholderImage } from "#app/features/listings/phone.schema.ts";
import { doubtsAbout } from "#app/features/listings/plausibility.rules.ts";
import { addPhone } from "#app/features/listings/publishing.server.ts";
import { refusalText } from "#app/features/photos/photo.rules.ts";
import { filesIn, readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { formKeyOf, invalidForm, parseForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { acceptsHtml, isMultipart } from "#app/server/http/content-type.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { addFiles, maxFiles, maxFormBytes, tooLargeText } from "../dashboard/add-photos.server.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "You Phone Detail");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "publish");
  const { name, email } = viewer;
  const today = new Date().toISOString().slice(0, 10);
  const toComplete = await findListingToComplete(context.db, viewer);
  return { seller: { name, email }, formKey: crypto.randomUUID(), today, toComplete };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "publish");
  const form = isMultipart(request) ? await readUpload(request, maxFormBytes) : await readForm(request);
  if (!form) return refusedForm({ status: 413, formErrors: [tooLargeText] });
  const submission = parseForm(form, phoneFormSchema);
  const files = filesIn(form, "photos");
  // Without JavaScript a browser loses the files.
  const again = files.length > 0 && acceptsHtml(request) ? [chooseAgainText] : [];
  if (submission.status !== "success") return invalidForm(submission, { formErrors: again });
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  const { image, ...facts } = submission.value;
  if (!image && files.length === 0)
    return invalidForm(submission, { fieldErrors: { image: [noPictureText] } });
  if (files.length > maxFiles) return invalidForm(submission, { formErrors: [refusalText("too many")] });
  const doubts = doubtsAbout(facts, await fairPrice(context.db, facts));
  const confirmed = String(form.get("confirmed"));
  if (
    !Object.values(doubts)
      .flat()
      .every((doubt) => confirmed.includes(doubt))
  )
    return invalidForm(submission, { fieldErrors: doubts, formErrors: again });
  const limitRefusal = await rateLimitRefusal(context, "publish", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const { HOLD_FIRST_LISTINGS } = context.environment;
  const phone = { ...facts, image: image ?? placeholderImage[facts.deviceType] };
  const id = await addPhone(context.db, viewer, phone, formKeyOf(form), HOLD_FIRST_LISTINGS);
  const { refusals } = await addFiles(context, viewer, id, files);
  const isHeld = HOLD_FIRST_LISTINGS && (await isHeldForApproval(context.db, id));
  const heldText = isHeld ? "We check it first, then it goes on sale." : "";
  const message = ["Added Successfully", heldText, ...refusals].filter(Boolean).join(". ");
  const toPhotos = { to: `/manage/mysells/${id}/photos`, label: "Add photos" };
  const toListings = { to: "/manage/mysells", label: "View your listings" };
  const link = isHeld || (files.length > 0 && refusals.length === 0) ? toListings : toPhotos;
  return redirectWithToast(context, "/addphone", { kind: "success", message, link });
});

const noPictureText = "Add a photo above, or the link of a picture";

const chooseAgainText = "Choose your photos again: your browser doesn’t keep them.";

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function AddPhone() {
  const { formKey, toComplete, ...formDefaults } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="page-width py-8 sm:py-12">
      <div className="mx-auto max-w-3xl">
        <h1 className="mb-8 text-3xl font-semibold sm:text-4xl">You Phone Detail</h1>
        {toComplete && <CompleteListingPrompt listing={toComplete} />}
        {/* A new key resets the form after success. */}
        <AddPhoneForm key={formKey} formKey={formKey} {...formDefaults} lastResult={actionData?.result} />
      </div>
    </div>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
