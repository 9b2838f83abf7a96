import { isoDayLabel } from "#app/ui/date-label.ts";
import { StatusBadge, VerifiedBadge } from "./badges.tsx";
import { usedTimeLabel } from "./phone-dates.rules.ts";
import { PhonePicture } from "./phone-picture.tsx";
import type { PhoneDetails } from "./phones.server.ts";
import { Price } from "./price.tsx";

export function PhoneFacts({ phone }: { phone: PhoneDetails }) {
  return (
    <div className="grid gap-6 sm:grid-cols-2 sm:gap-8">
      <div className="self-start rounded-box bg-base-200 p-4">
        <PhonePicture
          image={phone.image}
          cover={phone.cover}
          size="gallery"
          deviceType={phone.deviceType}
          eager
          first
          className="max-h-80"
        />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <StatusBadge status={phone.status} />
        <Price marketCents={phone.marketCents} sellingCents={phone.sellingCents} className="text-4xl" />
        <p className="flex flex-wrap items-center gap-x-3 wrap-anywhere">
          <span>
            Sold by <span className="font-medium">{phone.sellerName}</span>
          </span>{" "}
          <VerifiedBadge sellerVerified={phone.sellerVerified} />
        </p>
        <blockquote className="border-l-2 border-base-300 pl-4 text-quiet wrap-anywhere">
          {phone.sellingReason}
        </blockquote>
      </div>
      <dl className="sm:col-span-2 sm:columns-2 sm:gap-8">
        <FactRow term="RAM" value={phone.ram} />
        <FactRow term="ROM" value={phone.rom} />
        <FactRow term="Camera" value={phone.camera} />
        <FactRow term="Processor" value={phone.processor} />
        <FactRow term="Battery" value={phone.battery} />
        <FactRow term="OS" value={phone.os} />
        <FactRow term="Device type" value={phone.deviceType} />
        <FactRow term="Used for" value={usedTimeLabel(phone.usedTime)} />
        {phone.condition && <FactRow term="Condition" value={phone.condition} />}
        {phone.batteryHealth && <FactRow term="Battery health" value={`${phone.batteryHealth}%`} />}
        <FactRow term="Posted" value={isoDayLabel(phone.postDate)} />
      </dl>
    </div>
  );
}

export function FactRow({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex break-inside-avoid justify-between gap-4 border-b border-base-300 py-2">
      <dt className="shrink-0 text-quiet">{term}</dt>
      <dd className="min-w-0 text-right font-medium wrap-anywhere">{value}</dd>
    </div>
  );
}
