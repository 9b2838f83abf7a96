import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { sessionIdOf, viewerIfReachable } from "#app/auth/guard.server.ts";
import { categoryByDevice } from "#app/features/catalog/category.rules.ts";
import { ListingTile, tileGrid } from "#app/features/catalog/listing-card.tsx";
import { useNoteSeen } from "#app/features/catalog/seen-listings.ts";
import { similarTo } from "#app/features/catalog/similar.server.ts";
import { hasBuyBar } from "#app/features/listings/booking-box.tsx";
import { deviceName } from "#app/features/listings/device-variant.rules.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import {
  linkPreviewImage,
  listingStructuredData,
  listingSummary,
} from "#app/features/listings/listing-structured-data.rules.ts";
import { ListingView } from "#app/features/listings/listing-view.tsx";
import type { ListingTileData } from "#app/features/listings/listings.server.ts";
import { offerTermsSchema } from "#app/features/listings/merchant.rules.ts";
import { decimalPrice } from "#app/features/listings/money.rules.ts";
import { offerRefusalOf, offerText } from "#app/features/orders/offer.rules.ts";
import { findListingOffers } from "#app/features/orders/offers.server.ts";
import { findOwnBooking } from "#app/features/orders/orders.server.ts";
import { PendingBooking } from "#app/features/orders/pending-booking.tsx";
import { merchantTermsOf } from "#app/features/payments/merchant-terms.ts";
import { listingPaymentText } from "#app/features/payments/payment-texts.ts";
import { paymentPromiseOf } from "#app/features/payments/provider.ts";
import { SaveForm } from "#app/features/saved-listings/save-form.tsx";
import { findSavedState } from "#app/features/saved-listings/saved-listings.server.ts";
import { useCountView } from "#app/features/statistics/use-count-view.ts";
import { RouteError } from "#app/frame/error-pages.tsx";
import { useFrame } from "#app/frame/frame.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { market } from "#app/market.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { StructuredData } from "#app/server/http/structured-data.tsx";
import { keepIsoTime } from "#app/time.ts";
import { findUnreadOfPage } from "../mark-as-read.server.ts";

type Data = Awaited<ReturnType<typeof loader>>;

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (!data) return pageTitle(errorTitle(error) ?? "Listing");
  const { listing } = data;
  return [
    ...pageTitle(deviceName(listing), listingSummary(data)),
    { property: "product:price:amount", content: decimalPrice(listing.sellingCents) },
    { property: "product:price:currency", content: market.currency },
    { property: "product:condition", content: "used" },
    {
      property: "product:availability",
      content: listing.status === "available" ? "in stock" : "out of stock",
    },
  ];
};

export const handle: RouteHandle = {
  access: "anyone",
  cached: { forSignedIn: false },
  canonical: ({ params, data }) => (data ? { address: `/phones/${params.phoneId}`, kind: "product" } : null),
  picture: (data) => (data ? linkPreviewImage((data as Data).listing) : null),
  bodyClass: (data) => {
    const { listing, isOwn = false, booking = null } = (data ?? {}) as Partial<Data>;
    return listing !== undefined && hasBuyBar(listing.status, isOwn, booking) && "has-buy-bar";
  },
};

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  // Public. What is read by the session id is shown only with a viewer: then the session is valid.
  const sessionId = await sessionIdOf(context, request);
  const [found, similar, viewer, savedState, offers, booking, markAsRead] = await Promise.all([
    findListing(context.db, params.phoneId ?? ""),
    similarTo(context.db, params.phoneId ?? ""),
    viewerIfReachable(context, request),
    sessionId ? findSavedState(context.db, sessionId, params.phoneId ?? "") : null,
    sessionId ? findListingOffers(context.db, sessionId, params.phoneId ?? "") : null,
    sessionId ? findOwnBooking(context.db, sessionId, params.phoneId ?? "") : null,
    findUnreadOfPage(context, request),
  ]);
  if (!found) throw notFound();
  const origin = publicOrigin(context, request);
  const promise = paymentPromiseOf(context.environment, found.listing);
  await markAsRead(viewer);
  return {
    ...found,
    similar,
    paymentText: listingPaymentText(promise),
    isProtected: typeof promise !== "string",
    // Made here, since only search engines need it.
    terms: offerTermsSchema(merchantTermsOf(found.listing.delivery, promise)),
    isOwn: viewer?.id === found.listing.sellerId,
    canOffer: offerRefusalOf(found.listing, false, viewer && offers ? offers.left : undefined) === null,
    booking: viewer && booking,
    offers: viewer && offers && shownOffers(offers),
    savedState: viewer && savedState,
    origin,
  };
});

/** Of the server, since the texts of offers would take much of the page's scripts; see `withTimes`. */
function shownOffers({ open, waiting }: NonNullable<Awaited<ReturnType<typeof findListingOffers>>>) {
  return {
    text: open && offerText(open, keepIsoTime),
    acceptedCents: open?.state === "accepted" ? open.amountCents : null,
    waiting,
  };
}

export default function ListingPage() {
  const data = useLoaderData<typeof loader>();
  const {
    similar,
    paymentText,
    isProtected,
    terms,
    isOwn,
    canOffer,
    booking,
    offers,
    savedState,
    origin,
    ...page
  } = data;
  const category = categoryByDevice(page.listing);
  const { signedIn } = useFrame();
  const { pathname } = useLocation();
  useNoteSeen(page.listing.id);
  useCountView(page.listing.id, isOwn);
  return (
    <SaveForm>
      <ListingView
        page={page}
        category={category}
        hasSimilar={similar.length > 0}
        paymentText={paymentText}
        isProtected={isProtected}
        isOwn={isOwn}
        booking={booking}
        canOffer={canOffer}
        offers={offers}
        savedState={savedState}
        origin={origin}
      >
        {similar.length > 0 && <SimilarDevices similar={similar} />}
      </ListingView>
      {signedIn && !isOwn && <PendingBooking devices={[page.listing]} closeTo={pathname} />}
      <Outlet />
      <StructuredData graph={listingStructuredData(page, category, origin, terms)} />
    </SaveForm>
  );
}

export function ErrorBoundary() {
  return (
    <RouteError
      missing={{
        title: "This listing is gone",
        text: "It’s sold or was taken down.",
        link: { to: "/products", label: "Browse devices" },
      }}
    />
  );
}

function SimilarDevices({ similar }: { similar: ListingTileData[] }) {
  return (
    <section aria-labelledby="similar" className="mt-16">
      <h2 id="similar" tabIndex={-1} className="text-3xl font-semibold outline-none">
        Similar devices
      </h2>
      <ul className={`mt-6 ${tileGrid}`}>
        {similar.map((phone) => (
          <ListingTile key={phone.id} phone={phone} heading="h3" />
        ))}
      </ul>
    </section>
  );
}
