import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser } from "#app/auth/guard.server.ts";
import { EditListingForm } from "#app/features/listings/edit-listing-form.tsx";
import { editRefusals } from "#app/features/listings/edit-refusals.ts";
import { notBackText, schemaForEditOf } from "#app/features/listings/listing-edit.schema.ts";
import { payoutsOfPublisher } from "#app/features/payments/payouts.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { confirmedIn } from "../message-question.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Edit ${data.listing.brandName} ${data.listing.model}` : "Edit");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

const loadEditing = () => import("#app/features/listings/listing-edit.server.ts");

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "edit listing");
  const { findOwnListing } = await loadEditing();
  const listing = await findOwnListing(context.db, viewer, params.phoneId ?? "");
  if (!listing) throw notFound();
  const payouts = await payoutsOfPublisher(context.db, context.environment, viewer);
  return { listing, account: viewer.email, formKey: crypto.randomUUID(), payouts };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "edit listing");
  const form = await readForm(request);
  const { editOnceConfirmed, findOwnListing, imeiHashesOf } = await loadEditing();
  const listing = await findOwnListing(context.db, viewer, params.phoneId ?? "");
  const submission = parseForm(form, schemaForEditOf(listing));
  const confirmed = confirmedIn(form);
  const { editedSince } = await import("#app/features/listings/edited-since.rules.ts");
  const since = editedSince(listing, form.get("base"), submission.payload, confirmed);
  // Whatever it is refused for, it says what has changed, too.
  const refuse = ({ fieldErrors, asked = [], ...refusal }: FormRefusal = {}) =>
    invalidForm(submission, {
      ...refusal,
      fieldErrors: { ...since.fieldErrors, ...fieldErrors },
      asked: [...confirmed, ...since.asked, ...asked],
    });
  if (submission.status !== "success") return refuse();
  const refusal = await formRefusal({ context, request, viewer, form }, "edit listing");
  if (refusal) return refuse(refusal);
  if (!listing) throw notFound();
  if (since.asked.length > 0) return refuse({ status: 409 });
  const edit = {
    ...submission.value,
    listAgain: submission.value.listAgain && form.get("intent") !== "save draft",
  };
  const imeiHashes = await imeiHashesOf(context.secrets, edit.imei);
  const outcome = await editOnceConfirmed(context.db, viewer, listing, edit, { confirmed, imeiHashes });
  if (typeof outcome === "object") return refuse(outcome);
  if (outcome === "unknown listing") throw notFound();
  if (outcome !== "saved") {
    const { [outcome]: text } = editRefusals;
    const field = outcome === "imei taken" ? "imei" : outcome === "number taken" ? "ownNumber" : null;
    const errors = field ? { fieldErrors: { [field]: [text] } } : { formErrors: [text] };
    return refuse({ status: 409, ...errors });
  }
  return edit.listAgain
    ? redirectWithToast(context, "/manage/mysells", { kind: "success", message: "Listed again" })
    : redirectWithToast(context, pathAndQuery(request), { kind: "success", message: "Changes saved" });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function EditListing() {
  const { listing, account, formKey, payouts } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="max-w-3xl">
      <BackLink to="/manage/mysells">My Sellings</BackLink>
      <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{`${listing.brandName} ${listing.model}`}</h1>
      <p className="mt-2 mb-8 flex flex-wrap gap-x-5 gap-y-2">
        {!listing.isReturned && (
          <Link to={`/phones/${listing.id}`} className="link">
            View listing
          </Link>
        )}
        <Link to={`/manage/mysells/${listing.id}/photos`} className="link">
          Photos
        </Link>
        {listing.orderId && (
          <Link to={`/manage/orders/${listing.orderId}`} className="link">
            View order
          </Link>
        )}
      </p>
      {listing.isReturned && (
        <p className="mb-8 rounded-box bg-base-200 px-4 py-3">
          Its order has ended, so it isn’t on sale. Check that it all still matches your device, then list it
          again. {listing.isNotBack && notBackText}
        </p>
      )}
      {listing.status === "reserved" && (
        <p className="mb-8 rounded-box bg-base-200 px-4 py-3">
          It’s reserved, so the model details are locked. A new price doesn’t change the buyer’s order.
        </p>
      )}
      {listing.status === "sold" ? (
        <p className="rounded-box bg-base-200 px-4 py-3">
          This device is sold, so you can’t change its listing anymore.
        </p>
      ) : (
        <EditListingForm
          key={formKey}
          listing={listing}
          account={account}
          lastResult={actionData?.result}
          asked={actionData?.asked}
          payouts={payouts}
        />
      )}
    </div>
  );
}
