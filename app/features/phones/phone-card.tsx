import { Link } from "@remix-run/react";
import { StatusBadge, VerifiedBadge } from "./badges.tsx";
import type { PhoneCardData } from "./phones.server.ts";
import type { PhotoSize } from "./photo.rules.ts";
import { pictureOf } from "./picture.rules.ts";
import { Price } from "./price.tsx";

/**
 * A phone on a shelf, in an item of a list. Its picture and its title lead to its page.
 *
 * @param basePath the shelf's path, which the dialogs open over
 * @param search the shelf's query, so that closing a dialog comes back to the same page of the list
 * @param place the card's place on its page, from 0, or 2 for any further on: the first pictures are in view at once
 */
export function PhoneCard({
  phone,
  basePath,
  search,
  place,
}: {
  phone: PhoneCardData;
  basePath: string;
  search: string;
  place: number;
}) {
  const titleId = `phone-${phone.id}`;
  const page = `/phones/${phone.id}`;
  return (
    <article
      aria-labelledby={titleId}
      className="flex w-full min-w-0 flex-col overflow-hidden rounded-box border border-base-300 bg-base-100 sm:flex-row lg:flex-col"
    >
      <div className="relative flex items-center justify-center bg-base-200 p-4 sm:w-[44%] sm:shrink-0 lg:w-full">
        {/* For the pointer; the title is the same link for everybody else. */}
        <Link to={page} tabIndex={-1} aria-hidden="true" className="block w-full">
          <PhonePicture
            image={phone.image}
            cover={phone.cover}
            deviceType={phone.deviceType}
            eager={place < 2}
            first={place === 0}
            className="max-h-56 sm:max-h-64"
          />
        </Link>
        <div className="pointer-events-none absolute top-3 left-3">
          <StatusBadge status={phone.status} />
        </div>
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-5">
        <div>
          <h2 id={titleId} className="text-xl font-semibold wrap-anywhere">
            <Link to={page} className="underline-offset-4 hover:underline">
              <span>{phone.brandName}</span>
              {` ${phone.model}`}
            </Link>
          </h2>
          <div className="mt-1 flex flex-wrap gap-x-4 text-sm empty:hidden">
            {phone.condition && (
              <span className="font-medium">
                <span>{phone.condition}</span> condition
              </span>
            )}
            <VerifiedBadge sellerVerified={phone.sellerVerified} />
          </div>
        </div>
        <dl className="flex flex-wrap gap-x-6 gap-y-1">
          <Fact term="RAM" value={phone.ram} />
          <Fact term="ROM" value={phone.rom} />
        </dl>
        <div className="mt-auto">
          <Price marketCents={phone.marketCents} sellingCents={phone.sellingCents} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Link
            to={`${basePath}/${phone.id}${search}`}
            preventScrollReset
            className="btn btn-outline min-w-24 flex-1"
            aria-describedby={titleId}
          >
            Details
          </Link>
          {phone.status === "available" && (
            <Link
              to={`${basePath}/${phone.id}/book${search}`}
              preventScrollReset
              className="btn btn-primary min-w-24 flex-1"
              aria-describedby={titleId}
            >
              Buy Now
            </Link>
          )}
        </div>
      </div>
    </article>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex min-w-0 gap-2">
      <dt className="text-quiet">{term}</dt>
      <dd className="min-w-0 font-medium wrap-anywhere">{value}</dd>
    </div>
  );
}

/** React 18 knows the attribute by its HTML name alone, and TypeScript only by the later one. */
const soonest = { fetchpriority: "high" };

/**
 * A listing's picture: its first photo, or what its link leads to. A link of somebody else's may be broken, when a
 * drawing shows instead, with and without JavaScript.
 * Without an `alt` it says nothing the name beside it does not say, and is silent for screen readers.
 */
export function PhonePicture({
  image,
  cover,
  size = "card",
  alt = "",
  deviceType,
  eager,
  first = false,
  className,
}: {
  image: string;
  cover?: string | null;
  size?: PhotoSize;
  alt?: string;
  deviceType: string | undefined;
  eager: boolean;
  first?: boolean;
  className: string;
}) {
  const ours = Boolean(cover) || image.startsWith("/");
  const drawn = ours && !cover;
  const drawing = deviceType === "Tablet" ? "[--drawing:url(/devices/tablet.svg)]" : "";
  const picture = (
    <img
      src={pictureOf({ image, cover }, size)}
      alt={alt}
      width="400"
      height="360"
      loading={eager ? "eager" : "lazy"}
      {...(first && soonest)}
      decoding="async"
      referrerPolicy={ours ? undefined : "no-referrer"}
      className={`object-contain ${drawing} ${drawn ? `w-full ${className}` : "drawing-if-broken absolute inset-0 size-full"}`}
    />
  );
  // A picture of unknown shape takes the room of one of ours.
  return drawn ? picture : <div className={`relative aspect-10/9 w-full ${className}`}>{picture}</div>;
}
