import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser, sessionIdOf } from "#app/auth/guard.server.ts";
import { pathBehindDialog, useDialogPaths } from "#app/features/catalog/dialog-paths.ts";
import { deviceName } from "#app/features/listings/device-variant.rules.ts";
import { findListingDetails } from "#app/features/listings/listing.server.ts";
import { offerRefusalOf } from "#app/features/orders/offer.rules.ts";
import { OwnOffer } from "#app/features/orders/offer-view.tsx";
import { findOwnOffer } from "#app/features/orders/offers.server.ts";
import { findOwnBooking } from "#app/features/orders/orders.server.ts";
import { ErrorDialog } from "#app/frame/error-dialog.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { Dialog } from "#app/ui/dialog.tsx";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(errorTitle(error) ?? (data ? `Offer for ${data.name}` : "Offer"));

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", crawled: false, dialog: true };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "offer");
  const phoneId = params.phoneId ?? "";
  const sessionId = await sessionIdOf(context, request);
  const [found, { open, left }, booking] = await Promise.all([
    findListingDetails(context.db, phoneId),
    findOwnOffer(context.db, viewer, phoneId),
    sessionId ? findOwnBooking(context.db, sessionId, phoneId) : null,
  ]);
  if (!found) throw notFound();
  const { listing } = found;
  return {
    name: deviceName(listing),
    priceCents: listing.sellingCents,
    open,
    left,
    waitText: booking?.waitText ?? null,
    refusal: offerRefusalOf(listing, listing.sellerId === viewer.id, left, booking?.bar),
    account: viewer.email,
    formKey: crypto.randomUUID(),
  };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "offer");
  const form = await readForm(request);
  const { pathname, search } = new URL(request.url);
  const posted = { context, request, viewer, form };
  const { handleOffer } = await import("../handle-offer.server.ts");
  return handleOffer(posted, params.phoneId ?? "", pathBehindDialog(pathname) + search);
});

export default function OfferDialog() {
  const { name, priceCents, open, left, waitText, refusal, ...forms } = useLoaderData<typeof loader>();
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  const { behind } = useDialogPaths();
  return (
    <Dialog title={`Offer for ${name}`} closeTo={behind}>
      <OwnOffer
        priceCents={priceCents}
        open={open}
        left={left}
        waitText={waitText}
        refusal={refusal}
        forms={{ ...forms, result, asked }}
      />
    </Dialog>
  );
}

export function ErrorBoundary() {
  const { behind } = useDialogPaths();
  return <ErrorDialog closeTo={behind} />;
}
