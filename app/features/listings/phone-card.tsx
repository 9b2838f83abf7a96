import { Link } from "#app/ui/link.tsx";
import { SaveHeart } from "../saved-listings/save-button.tsx";
import { useIsOwnListing } from "../saved-listings/saved-states.ts";
import { cardFacts } from "./attributes.ts";
import { StatusBadge, VerifiedBadge } from "./badges.tsx";
import { CompareBox } from "./compare-box.tsx";
import { deviceName } from "./device-variant.rules.ts";
import { PhonePicture } from "./phone-picture.tsx";
import type { PhoneCardContent } from "./phones.server.ts";
import { Price } from "./price.tsx";

/**
 * A card that is a link to its listing as a whole; its buttons lie above.
 *
 * @param search of the list, so that closing a dialog returns to the same page of it
 */
export function PhoneCard({
  phone,
  basePath,
  search,
  index,
}: {
  phone: PhoneCardContent;
  basePath: string;
  search: string;
  index: number;
}) {
  const titleId = `phone-${index + 1}`;
  const name = deviceName(phone);
  const isOwn = useIsOwnListing(phone.id);
  const dialog = `${basePath}/${phone.id}`;
  return (
    <article aria-labelledby={titleId} className="phone-card">
      <div className="phone-card-picture">
        <PhonePicture
          image={phone.image}
          cover={phone.cover}
          deviceType={phone.deviceType}
          eager={index < 2}
          first={index === 0}
        />
      </div>
      <StatusBadge status={phone.status} />
      <div className="phone-card-body">
        <h2 id={titleId}>
          <Link to={`/phones/${phone.id}`}>{name}</Link>
        </h2>
        {(phone.condition || phone.sellerVerified === "yes") && (
          <p className="phone-card-quality">
            {phone.condition && `${phone.condition} condition`}
            <VerifiedBadge sellerVerified={phone.sellerVerified ?? null} />
          </p>
        )}
        <p className="phone-card-facts">
          <span className="sr-only">RAM </span>
          {`${phone.ram} · `}
          <span className="sr-only">ROM </span>
          {[phone.rom, ...cardFacts(phone)].join(" · ")}
        </p>
        <Price
          marketCents={phone.marketCents}
          sellingCents={phone.sellingCents}
          className="text-2xl sm:text-3xl"
        />
      </div>
      <SaveHeart phoneId={phone.id} name={name} titleId={titleId} />
      <div className="phone-card-actions">
        <Link to={dialog + search} preventScrollReset className="btn btn-outline" aria-describedby={titleId}>
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
        <CompareBox id={phone.id} name={name} />
      </div>
    </article>
  );
}
