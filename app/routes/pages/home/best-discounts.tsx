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
  /** Finds devices of the model. */
  query: string;
}

const best: Offer = {
  device: "apple-iphone-15",
  name: "Apple iPhone 15",
  memory: "6 GB RAM, 128 GB",
  marketCents: 79900,
  sellingCents: 51900,
  query: "iPhone 15",
};

const others: (Offer & { plane: string; place: string })[] = [
  {
    device: "google-pixel-8",
    name: "Google Pixel 8",
    memory: "8 GB RAM, 128 GB",
    marketCents: 69900,
    sellingCents: 38900,
    query: "Pixel 8",
    plane: "bg-plane-sage",
    place: "sm:-translate-y-[26%] sm:translate-x-[10%]",
  },
  {
    device: "apple-ipad-mini-6",
    name: "Apple iPad mini",
    memory: "4 GB RAM, 64 GB",
    marketCents: 49900,
    sellingCents: 29900,
    query: "iPad mini",
    plane: "bg-plane-rose",
    place: "sm:-translate-y-[50%] sm:translate-x-[13%]",
  },
];

// On handsets the drawing is on the right of the text, on wider screens above it.
const plane = "relative flex flex-row-reverse items-center overflow-x-clip rounded-box p-5 sm:flex-col";
const handsetDrawing = "max-sm:-mr-4 max-sm:w-36 max-sm:shrink-0";

export function BestDiscounts() {
  return (
    <section aria-labelledby="best-discounts" className="page-width pt-10 pb-4 sm:pt-24 sm:pb-8">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="best-discounts" className="text-3xl font-semibold sm:text-5xl">
          Best discounts
        </h2>
        <p className="text-quiet">Way below market price.</p>
      </div>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4 sm:mt-28 sm:gap-y-24 lg:mt-36 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-x-6 lg:gap-y-24">
        <article className={`bg-plane-sky sm:p-10 sm:pt-0 lg:row-span-2 ${plane}`}>
          <DeviceDrawing
            device={best.device}
            className={`${handsetDrawing} sm:-mt-24 sm:w-[34rem] lg:-mt-32 lg:w-[42rem]`}
          />
          <OfferText offer={best} size="text-4xl sm:text-8xl" />
        </article>
        {others.map((offer) => (
          <article key={offer.device} className={`sm:min-h-80 sm:p-8 ${offer.plane} ${plane}`}>
            <DeviceDrawing
              device={offer.device}
              className={`${handsetDrawing} sm:absolute sm:top-0 sm:right-0 sm:w-[21.5rem] lg:w-64 xl:w-[21.5rem] ${offer.place}`}
            />
            <OfferText offer={offer} size="text-4xl sm:text-6xl" />
          </article>
        ))}
      </div>
    </section>
  );
}

function OfferText({ offer, size }: { offer: Offer; size: string }) {
  return (
    <div className="relative flex min-w-0 flex-1 flex-col items-start justify-end sm:static sm:w-full">
      <h3 className="text-xl font-semibold sm:text-2xl">{offer.name}</h3>
      <p className="mt-1 mb-2 text-quiet max-sm:text-sm sm:mb-4">{offer.memory}</p>
      <Price marketCents={offer.marketCents} sellingCents={offer.sellingCents} className={size} />
      <p className="mt-2 sm:mt-4">
        <Link
          to={`/products?${new URLSearchParams({ q: offer.query })}`}
          className="inline-flex items-center gap-2 font-medium text-primary underline-offset-4 after:absolute after:inset-0 after:rounded-box hover:underline"
        >
          {`Shop ${offer.query}`} <ArrowRightIcon />
        </Link>
      </p>
    </div>
  );
}
