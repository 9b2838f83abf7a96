import type { ReactNode } from "react";
import { Link } from "#app/ui/link.tsx";
import { StatusBadge } from "./badges.tsx";
import { CompareBox } from "./compare-box.tsx";
import { deviceName } from "./device-variant.rules.ts";
import { priceLabel } from "./money.rules.ts";
import { PhonePicture } from "./phone-picture.tsx";
import type { PhoneTileData } from "./phones.server.ts";
import { Price } from "./price.tsx";

/** @param compare whether to show a checkbox, which needs a `CompareBar` on the page */
export function PhoneTile({
  phone,
  heading: Heading,
  eager = false,
  compare = false,
  seller,
}: {
  phone: PhoneTileData;
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
        <div className="relative flex items-center justify-center bg-base-200 p-3">
          <PhonePicture
            image={phone.image}
            cover={phone.cover}
            deviceType={phone.deviceType}
            eager={eager}
            className="max-h-36 sm:max-h-48"
          />
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
