import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { countLabel, market } from "#app/market.ts";
import { terms } from "#app/terms.ts";
import { isoDayLabel } from "#app/time.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FactRow } from "#app/ui/fact-row.tsx";
import { VerifiedIcon } from "#app/ui/icons.tsx";
import { ReportLink } from "#app/ui/report-link.tsx";
import { ParcelIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";
import { ShareButton } from "#app/ui/share-button.tsx";
import { SaveButton } from "../saved-listings/save-button.tsx";
import { saversLabel } from "../saved-listings/saved-listing.rules.ts";
import type { SavedState } from "../saved-listings/saved-listings.server.ts";
import { allFacts } from "./attributes.ts";
import { StatusBadge } from "./badges.tsx";
import { BookingBox, type OwnBooking } from "./booking-box.tsx";
import { conditionDescriptions } from "./condition.rules.ts";
import { deviceName, modelPath } from "./device-variant.rules.ts";
import { FairPriceScale, priceComparisonLabel } from "./fair-price.tsx";
import type { ListingDetails, ListingPageData } from "./listing.server.ts";
import { ListingGallery } from "./listing-gallery.tsx";
import { bargainLabel, priceLabel } from "./money.rules.ts";
import { PriceHistory } from "./price-history.tsx";
import { AskSellerLink, SellerLine } from "./seller-line.tsx";

export function ListingView({
  page: { listing, photos, prices, fair, model },
  category,
  hasSimilar,
  paymentText,
  isProtected,
  isOwn,
  booking,
  canOffer,
  offers,
  savedState,
  origin,
  children,
}: {
  page: SerializeFrom<ListingPageData>;
  category: { path: string; name: string };
  /** Whether similar devices follow. */
  hasSimilar: boolean;
  paymentText: string;
  isProtected: boolean;
  isOwn: boolean;
  /** Null for visitors without a session. */
  booking: OwnBooking | null;
  canOffer: boolean;
  /** Null for visitors without a session. */
  offers: ShownOffers | null;
  /** Null for visitors without a session. */
  savedState: SavedState | null;
  origin: string;
  children: ReactNode;
}) {
  const name = deviceName(listing);
  const yourCents = Math.min(offers?.acceptedCents ?? listing.sellingCents, listing.sellingCents);
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: category.path, name: category.name },
          ...(model ? [{ to: modelPath(model.slug), name }] : []),
        ]}
        here={model ? listing.rom : name}
      />
      <article
        aria-labelledby="listing"
        className="mt-4 grid items-start gap-x-8 gap-y-8 sm:mt-6 md:grid-cols-2 md:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-x-12 xl:gap-x-16"
      >
        <ListingGallery listing={listing} photos={photos} name={name} />
        <div className="grid min-w-0 gap-6 md:sticky md:top-below-bars md:row-span-2">
          <header>
            <div className="mb-3 empty:hidden">
              <StatusBadge status={listing.status} />
            </div>
            <h1
              id="listing"
              className={`font-semibold wrap-anywhere ${name.length > 60 ? "text-2xl sm:text-3xl" : "text-4xl xl:text-5xl"}`}
            >
              {name}
            </h1>
            <p className="mt-2 text-lg text-quiet wrap-anywhere">
              {listing.ram} RAM, {listing.rom}
              {listing.condition && `, ${listing.condition.toLowerCase()} condition`}
            </p>
          </header>
          <div>
            <ListingPrice {...listing} yourCents={yourCents} />
            {fair && listing.status !== "sold" && (
              <p className="mt-3">
                <a
                  href="#fair-price"
                  className={`underline-offset-4 ${bargainLabel(yourCents, fair.median) ? "rounded-selector bg-accent px-2 py-0.5 font-semibold text-accent-content hover:underline" : "link"}`}
                >
                  {priceComparisonLabel(fair, yourCents)}
                </a>
              </p>
            )}
          </div>
          {/* The text of an accepted offer says it. */}
          {!(booking?.waitText && offers?.acceptedCents) && (
            <BookingBox
              listing={{ ...listing, sellingCents: yourCents }}
              bookPath={`/phones/${listing.id}/book`}
              isOwn={isOwn}
              booking={booking}
              isSaved={savedState?.isSaved ?? false}
              hasSimilar={hasSimilar}
              paymentText={paymentText}
            />
          )}
          {listing.status === "available" && (
            <ListingOffers listing={listing} isOwn={isOwn} canOffer={canOffer} offers={offers} />
          )}
          {savedState?.savers ? <p className="text-quiet">{saversLabel(savedState.savers)}</p> : null}
          <div className="flex flex-wrap items-center gap-x-6">
            {!isOwn && <SaveButton listing={listing} isSaved={savedState?.isSaved ?? null} />}
            <ShareButton title={name} url={`${origin}/phones/${listing.id}`} />
          </div>
          <SellerLine listing={listing}>
            <AskSellerLink listing={listing} isOwn={isOwn} orderId={booking?.orderId ?? null} />
          </SellerLine>
          <TrustPoints isProtected={isProtected} />
          {!isOwn && (
            <p>
              <ReportLink kind="listing" id={listing.id} />
            </p>
          )}
        </div>
        <div className="grid min-w-0 gap-10">
          <SellingReason listing={listing} />
          {listing.condition && <Condition listing={listing} condition={listing.condition} />}
          <Specifications listing={listing} />
          <section aria-labelledby="fair-price">
            <h2 id="fair-price" className="mb-3 text-2xl font-semibold">
              Sale prices
            </h2>
            <FairPriceScale fair={fair} askingCents={listing.sellingCents} />
            {model && (
              <p className="mt-3 wrap-anywhere">
                <Link to={modelPath(model.slug)} className="link underline-offset-4">
                  {model.listed > 1
                    ? `See ${model.listed === 2 ? "both" : `all ${countLabel(model.listed)}`} ${name} listings`
                    : `${name} sale prices`}
                </Link>
              </p>
            )}
          </section>
          {prices.length > 1 && (
            <section aria-labelledby="price-history">
              <h2 id="price-history" className="mb-3 text-2xl font-semibold">
                Price history
              </h2>
              <PriceHistory prices={prices} isTitleVisible={false} />
            </section>
          )}
        </div>
      </article>
      {children}
    </div>
  );
}

/** What the viewer has to do with offers for a listing. */
interface ShownOffers {
  /** What the viewer has offered, or was offered; null without an open offer. */
  text: string | null;
  /** The price that the viewer can book at. */
  acceptedCents: number | null;
  /** How many offers wait for the seller's answer. */
  waiting: number;
}

function ListingOffers({
  listing: { id },
  isOwn,
  canOffer,
  offers,
}: {
  listing: Pick<ListingDetails, "id">;
  isOwn: boolean;
  canOffer: boolean;
  offers: ShownOffers | null;
}) {
  const { withTimes } = useDateLabels();
  if (isOwn) {
    return offers?.waiting ? (
      <Link to="/manage/offers" className="btn btn-primary">
        {offers.waiting === 1 ? "Answer 1 offer" : `Answer ${offers.waiting} offers`}
      </Link>
    ) : null;
  }
  if (!canOffer && !offers?.text) return null;
  return (
    <div className="grid gap-3">
      {offers?.text && <p className="wrap-anywhere">{withTimes(offers.text)}</p>}
      <Link to={`/phones/${id}/offer`} preventScrollReset className="btn btn-outline">
        {offers?.text ? "View your offer" : "Make an offer"}
      </Link>
    </div>
  );
}

function SellingReason({ listing }: { listing: ListingDetails }) {
  return (
    <section aria-labelledby="reason">
      <h2 id="reason" className="text-2xl font-semibold">
        Reason for selling
      </h2>
      <blockquote className="mt-3 max-w-prose border-l-2 border-base-300 pl-4 text-lg whitespace-pre-line wrap-anywhere">
        {listing.sellingReason}
      </blockquote>
    </section>
  );
}

function Condition({ listing, condition }: { listing: ListingDetails; condition: string }) {
  return (
    <section aria-labelledby="condition">
      <h2 id="condition" className="text-2xl font-semibold">
        Condition
      </h2>
      <p className="mt-3 max-w-prose">
        <span className="font-semibold">{condition}.</span>{" "}
        {conditionDescriptions.find((known) => known.condition === condition)?.description}
      </p>
      {listing.batteryHealth && (
        <p className="mt-1 text-quiet">
          The battery holds {listing.batteryHealth}% of its original capacity.
        </p>
      )}
    </section>
  );
}

function Specifications({ listing }: { listing: ListingDetails }) {
  return (
    <section aria-labelledby="specifications">
      <h2 id="specifications" className="text-2xl font-semibold">
        Specifications
      </h2>
      <dl className="mt-3 border-t border-base-300">
        {allFacts(listing).map(({ name, term, value }) => (
          <FactRow key={name} term={term}>
            {value ?? <NotStated />}
          </FactRow>
        ))}
        {/* The IMEI of a sold device is forgotten. */}
        {listing.status !== "sold" && (
          <FactRow term="IMEI">
            {listing.hasImei ? (
              "Checked: its check digit is right, and no other listing has it"
            ) : (
              <NotStated />
            )}
          </FactRow>
        )}
        <FactRow term="Posted">{isoDayLabel(listing.postDate)}</FactRow>
      </dl>
    </section>
  );
}

function NotStated() {
  return <span className="font-normal text-quiet">Not stated</span>;
}

function ListingPrice({
  marketCents,
  sellingCents,
  yourCents,
}: Pick<ListingDetails, "marketCents" | "sellingCents"> & { yourCents: number }) {
  return (
    <div className="tabular-nums">
      <p className="font-display text-5xl leading-none font-semibold tracking-tight xl:text-6xl">
        <span className="sr-only">Selling price </span>
        {priceLabel(yourCents)}
      </p>
      {yourCents < sellingCents && (
        <p className="mt-2">
          Your accepted offer. Listed at <s>{priceLabel(sellingCents)}</s>
        </p>
      )}
      <p className="mt-3 text-quiet">
        Market price {marketCents > sellingCents ? <s>{priceLabel(marketCents)}</s> : priceLabel(marketCents)}
      </p>
    </div>
  );
}

const points = (isProtected: boolean) => [
  {
    Icon: WarrantyIcon,
    name: market.warranty.short,
    text: `${market.warranty.cover}.`,
  },
  {
    Icon: VerifiedIcon,
    name: terms.authenticity,
    text: terms.claim,
  },
  {
    Icon: ParcelIcon,
    name: terms.delivery,
    text: isProtected ? terms.notDeliveredButPaid : terms.notDelivered,
  },
];

function TrustPoints({ isProtected }: { isProtected: boolean }) {
  return (
    <section aria-label="What’s included" className="border-t border-base-300 pt-5">
      <ul className="grid gap-3">
        {points(isProtected).map(({ Icon, name, text }) => (
          <li key={name} className="flex gap-3">
            <Icon className="size-6 shrink-0" />
            <p>
              <span className="font-medium">{name}</span> <span className="text-quiet">{text}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-3">
        <Link to="/about" className="link text-sm underline-offset-4">
          What we promise
        </Link>
      </p>
    </section>
  );
}
