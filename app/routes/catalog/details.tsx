import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { sessionIdOf, viewerIfReachable } from "#app/auth/guard.server.ts";
import { useDialogPaths } from "#app/features/catalog/dialog-paths.ts";
import { normalizedSearch } from "#app/features/catalog/search/search-query.rules.ts";
import { useNoteSeen } from "#app/features/catalog/seen-listings.ts";
import { BookingBox } from "#app/features/listings/booking-box.tsx";
import { DeviceFacts } from "#app/features/listings/device-facts.tsx";
import { deviceName } from "#app/features/listings/device-variant.rules.ts";
import { findListingDetails } from "#app/features/listings/listing.server.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { PriceHistory } from "#app/features/listings/price-history.tsx";
import { AskSellerLink } from "#app/features/listings/seller-line.tsx";
import { findOwnBooking } from "#app/features/orders/orders.server.ts";
import { listingPaymentText } from "#app/features/payments/payment-texts.ts";
import { paymentPromiseOf } from "#app/features/payments/provider.ts";
import { SaveButton } from "#app/features/saved-listings/save-button.tsx";
import { findSavedState } from "#app/features/saved-listings/saved-listings.server.ts";
import { useCountView } from "#app/features/statistics/use-count-view.ts";
import { ErrorDialog } from "#app/frame/error-dialog.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { ReportLink } from "#app/ui/report-link.tsx";

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (!data) return pageTitle(errorTitle(error) ?? "Details");
  const { listing } = data;
  return pageTitle(
    deviceName(listing),
    `A used ${deviceName(listing)} with ${listing.rom}, from its owner, ${priceLabel(listing.sellingCents)}.`,
  );
};

export const handle: RouteHandle = {
  access: "anyone",
  cached: { search: normalizedSearch, forSignedIn: false },
  dialog: true,
  canonical: ({ params, data }) => (data ? { address: `/phones/${params.phoneId}`, kind: "product" } : null),
};

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  // Public. What is read by the session id is shown only with a viewer: then the session is valid.
  const sessionId = await sessionIdOf(context, request);
  const [found, viewer, savedState, booking] = await Promise.all([
    findListingDetails(context.db, params.phoneId ?? ""),
    viewerIfReachable(context, request),
    sessionId ? findSavedState(context.db, sessionId, params.phoneId ?? "") : null,
    sessionId ? findOwnBooking(context.db, sessionId, params.phoneId ?? "") : null,
  ]);
  if (!found) throw notFound();
  return {
    ...found,
    paymentText: listingPaymentText(paymentPromiseOf(context.environment, found.listing)),
    isOwn: viewer?.id === found.listing.sellerId,
    booking: viewer && booking,
    savedState: viewer && savedState,
  };
});

export default function DetailsDialog() {
  const { listing, photos, prices, fair, paymentText, isOwn, booking, savedState } =
    useLoaderData<typeof loader>();
  const { behind, dialogs } = useDialogPaths();
  useNoteSeen(listing.id);
  useCountView(listing.id, isOwn);
  return (
    <Dialog title={deviceName(listing)} closeTo={behind}>
      <DeviceFacts
        listing={listing}
        photos={photos}
        fair={fair}
        sellerLink={<AskSellerLink listing={listing} isOwn={isOwn} orderId={booking?.orderId ?? null} />}
      >
        <BookingBox
          listing={listing}
          bookPath={dialogs(listing.id).book}
          isOwn={isOwn}
          booking={booking}
          isSaved={savedState?.isSaved ?? false}
          hasSimilar={false}
          paymentText={paymentText}
        />
        {!isOwn && <SaveButton listing={listing} isSaved={savedState?.isSaved ?? null} />}
      </DeviceFacts>
      {prices.length > 1 && (
        <div className="mt-6">
          <PriceHistory prices={prices} />
        </div>
      )}
      {!isOwn && (
        <p className="mt-6">
          <ReportLink kind="listing" id={listing.id} />
        </p>
      )}
    </Dialog>
  );
}

export function ErrorBoundary() {
  const { behind } = useDialogPaths();
  return <ErrorDialog closeTo={behind} />;
}
