import { Link } from "#app/ui/link.tsx";
import { StatusBadge, VerifiedBadge } from "./badges.tsx";
import { CompareBox } from "./compare-box.tsx";
import { deviceName } from "./device-variant.rules.ts";
import { PhonePicture } from "./phone-picture.tsx";
import type { PhoneCardContent } from "./phones.server.ts";
import { Price } from "./price.tsx";

/** @param search of the list, so that closing a dialog returns to the same page of it */
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
  const page = `/phones/${phone.id}`;
  const dialog = `${basePath}/${phone.id}`;
  return (
    <article aria-labelledby={titleId} className="phone-card">
      {/* Hidden from keyboards and screen readers, which have the same link in the title. */}
      <Link to={page} tabIndex={-1} aria-hidden="true" className="phone-card-picture">
        <PhonePicture
          image={phone.image}
          cover={phone.cover}
          deviceType={phone.deviceType}
          eager={index < 2}
          first={index === 0}
        />
      </Link>
      <StatusBadge status={phone.status} />
      <div className="phone-card-body">
        <h2 id={titleId}>
          <Link to={page}>{name}</Link>
        </h2>
        {(phone.condition || phone.sellerVerified === "yes") && (
          <p className="phone-card-quality">
            {phone.condition && `${phone.condition} condition`}
            <VerifiedBadge sellerVerified={phone.sellerVerified} />
          </p>
        )}
        <dl>
          <dt>RAM</dt>
          <dd>{phone.ram}</dd> <dt>ROM</dt>
          <dd>{phone.rom}</dd>
        </dl>
        <Price marketCents={phone.marketCents} sellingCents={phone.sellingCents} />
        <div className="phone-card-actions">
          <Link
            to={dialog + search}
            preventScrollReset
            className="btn btn-outline"
            aria-describedby={titleId}
          >
            Details
          </Link>
          {phone.status === "available" && (
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
      </div>
    </article>
  );
}
