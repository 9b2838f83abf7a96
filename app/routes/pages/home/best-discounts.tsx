import { Link } from "@remix-run/react";
import { Price } from "#app/features/listings/price.tsx";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";

interface Offer {
  device: string;
  name: string;
  memory: string;
  marketCents: number;
  sellingCents: number;
  category: { path: string; label: string };
}

const best: Offer = {
  device: "apple-iphone-15",
  name: "Apple iPhone 15",
  memory: "6 GB RAM, 128 GB",
  marketCents: 79900,
  sellingCents: 51900,
  category: { path: "/ios", label: "See iPhones" },
};

const others: (Offer & { plane: string; place: string })[] = [
  {
    device: "google-pixel-8",
    name: "Google Pixel 8",
    memory: "8 GB RAM, 128 GB",
    marketCents: 69900,
    sellingCents: 38900,
    category: { path: "/android", label: "See Android phones" },
    plane: "bg-plane-sage",
    place: "max-sm:-mt-14 sm:-translate-y-[26%] sm:translate-x-[10%]",
  },
  {
    device: "apple-ipad-mini-6",
    name: "Apple iPad mini",
    memory: "4 GB RAM, 64 GB",
    marketCents: 49900,
    sellingCents: 29900,
    category: { path: "/tablet", label: "See tablets" },
    plane: "bg-plane-rose",
    place: "max-sm:-mt-28 sm:-translate-y-[50%] sm:translate-x-[13%]",
  },
];

const plane = "relative flex flex-col overflow-x-clip rounded-box";

export function BestDiscounts() {
  return (
    <section aria-labelledby="best-discounts" className="page-width pt-16 pb-8 sm:pt-24">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="best-discounts" className="text-4xl font-semibold sm:text-5xl">
          Best discounts
        </h2>
        <p className="text-quiet">Devices well below the market price.</p>
      </div>
      <div className="mt-20 grid gap-y-24 sm:mt-28 lg:mt-36 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-x-6 lg:gap-y-24">
        <article className={`bg-plane-sky p-6 pt-0 sm:p-10 sm:pt-0 lg:row-span-2 ${plane}`}>
          <DeviceDrawing
            device={best.device}
            className="-mt-16 w-[124%] self-center sm:-mt-24 sm:w-[34rem] lg:-mt-32 lg:w-[42rem]"
          />
          <OfferText offer={best} size="text-6xl sm:text-8xl" />
        </article>
        {others.map((offer) => (
          <article
            key={offer.device}
            className={`p-6 max-sm:pt-0 sm:min-h-80 sm:p-8 ${offer.plane} ${plane}`}
          >
            <DeviceDrawing
              device={offer.device}
              className={`max-sm:w-[112%] max-sm:self-center sm:absolute sm:top-0 sm:right-0 sm:w-[21.5rem] lg:w-64 xl:w-[21.5rem] ${offer.place}`}
            />
            <OfferText offer={offer} size="text-6xl" />
          </article>
        ))}
      </div>
    </section>
  );
}

function OfferText({ offer, size }: { offer: Offer; size: string }) {
  return (
    <div className="flex min-w-0 flex-1 flex-col items-start justify-end">
      <h3 className="text-2xl font-semibold">{offer.name}</h3>
      <p className="mt-1 mb-4 text-quiet">{offer.memory}</p>
      <Price marketCents={offer.marketCents} sellingCents={offer.sellingCents} className={size} />
      <p className="mt-4">
        <Link
          to={offer.category.path}
          className="inline-flex items-center gap-2 font-medium text-primary underline-offset-4 after:absolute after:inset-0 after:rounded-box hover:underline"
        >
          {offer.category.label} <ArrowRightIcon />
        </Link>
      </p>
    </div>
  );
}
