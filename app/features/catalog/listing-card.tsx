import type { ReactNode } from "react";
import { Link } from "#app/ui/link.tsx";
import { cardFacts, dottedFacts, inWords } from "../listings/attributes.ts";
import { StatusBadge } from "../listings/badges.tsx";
import { deviceName } from "../listings/device-variant.rules.ts";
import { ListingPicture } from "../listings/listing-picture.tsx";
import type { ListingCardContent, ListingTileData } from "../listings/listings.server.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { Price } from "../listings/price.tsx";
import { verifiedAndProtected } from "../listings/status.rules.ts";
import { SaveHeart } from "../saved-listings/save-button.tsx";
import { useIsOwnListing } from "../saved-listings/saved-states.ts";

/**
 * A card that is a link to its listing as a whole; its buttons lie above.
 *
 * @param search of the list, so that closing a dialog returns to the same page of it
 * @param prefetch of the listing
 */
export function ListingCard({
  phone,
  basePath,
  search,
  index,
  prefetch,
}: {
  phone: ListingCardContent;
  basePath: string;
  search: string;
  index: number;
  prefetch: "intent" | "none";
}) {
  const { carrierLock, ...facts } = phone;
  const titleId = `phone-${index + 1}`;
  const name = deviceName(phone);
  const isOwn = useIsOwnListing(phone.id);
  const dialog = `${basePath}/${phone.id}`;
  return (
    <article aria-labelledby={titleId} className="phone-card">
      <div className="phone-card-picture">
        <ListingPicture picture={phone} eager={index < 2} first={index === 0} />
      </div>
      <StatusBadge status={phone.status} />
      <div className="phone-card-body">
        <h2 id={titleId}>
          <Link to={`/phones/${phone.id}`} prefetch={prefetch}>
            {name}
          </Link>
        </h2>
        {(phone.condition || phone.badge) && (
          <p className="phone-card-quality">
            {phone.condition && (
              <>
                {phone.condition}
                <span className="max-sm:sr-only"> condition</span>{" "}
              </>
            )}
            {phone.badge && (
              <span className="verified-badge">
                {phone.badge}
                {phone.badge === verifiedAndProtected && <span className="sr-only"> payment</span>}
              </span>
            )}
          </p>
        )}
        <p className="phone-card-facts">
          {carrierLock && (
            <>
              <span className="phone-card-lock">{inWords("carrierLock", carrierLock)}</span>{" "}
            </>
          )}
          {dottedFacts([`${phone.ram} RAM`, phone.rom, ...cardFacts(facts)])}
        </p>
        <Price
          marketCents={phone.marketCents}
          sellingCents={phone.sellingCents}
          usualCents={phone.usualCents}
          className="text-2xl"
        >
          <span className="phone-card-place">{phone.placeAndAge}</span>
        </Price>
      </div>
      <SaveHeart phoneId={phone.id} name={name} titleId={titleId} />
      <div className="phone-card-actions">
        <Link
          to={dialog + search}
          prefetch={prefetch}
          preventScrollReset
          className="btn btn-outline"
          aria-describedby={titleId}
        >
          Details
        </Link>
        {phone.status === "available" && !isOwn && (
          <Link
            to={`${dialog}/book${search}`}
            preventScrollReset
            className="btn btn-primary"
            aria-describedby={titleId}
          >
            Buy Now
          </Link>
        )}
      </div>
      <CompareBox id={phone.id} name={name} />
    </article>
  );
}

/** @param compare whether to show a checkbox, which needs a `CompareBar` on the page */
export function ListingTile({
  phone,
  heading: Heading,
  eager = false,
  compare = false,
  seller,
}: {
  phone: ListingTileData;
  heading: "h2" | "h3" | "h4";
  eager?: boolean;
  compare?: boolean;
  /** The seller's rating. */
  seller?: ReactNode;
}) {
  const titleId = `tile-${phone.id}`;
  return (
    <li className="flex min-w-0">
      <article
        aria-labelledby={titleId}
        className="group relative flex w-full min-w-0 flex-col overflow-hidden rounded-box border border-base-300 hover:border-base-content"
      >
        <div className="labelled-picture relative flex items-center justify-center bg-base-200 p-3">
          <ListingPicture picture={phone} eager={eager} className="max-h-36 sm:max-h-48" />
          <div className="absolute top-3 left-3">
            <StatusBadge status={phone.status} />
          </div>
        </div>
        <div className="flex min-w-0 flex-1 flex-col p-3 sm:p-4">
          <Heading id={titleId} className="font-semibold wrap-anywhere sm:text-lg">
            <Link
              to={`/phones/${phone.id}`}
              className="line-clamp-3 underline-offset-4 group-hover:underline after:absolute after:inset-0 after:rounded-box"
            >
              {deviceName(phone)}
            </Link>
          </Heading>
          <p className="mt-1 mb-3 line-clamp-3 text-sm text-quiet wrap-anywhere">
            {phone.ram} RAM, {phone.rom}
            {phone.condition && `, ${phone.condition.toLowerCase()} condition`}
          </p>
          {/* Above the link that covers the tile. */}
          {seller && <p className="relative mb-3 flex flex-wrap text-sm">{seller}</p>}
          <div className="mt-auto">
            <Price
              marketCents={phone.marketCents}
              sellingCents={phone.sellingCents}
              usualCents={phone.usualCents}
              className="text-xl sm:text-2xl"
            />
          </div>
          {compare && (
            <CompareBox
              id={phone.id}
              name={`${deviceName(phone)}, ${phone.rom}, ${priceLabel(phone.sellingCents)}`}
              className="relative mt-2 self-start"
            />
          )}
        </div>
      </article>
    </li>
  );
}

export const tileGrid = "grid grid-cols-2 gap-3 sm:gap-6 lg:grid-cols-4";

/** The id of the form in `CompareBar`, which all checkboxes on the page belong to. */
export const compareFormId = "compare";

function CompareBox({ id, name, className = "" }: { id: string; name: string; className?: string }) {
  return (
    <label className={`filter-option ${className}`.trim()}>
      <input type="checkbox" name="ids" value={id} form={compareFormId} aria-label={`Compare ${name}`} />
      Compare
    </label>
  );
}
