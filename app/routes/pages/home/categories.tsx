import { Link } from "@remix-run/react";
import { PhoneTile } from "#app/features/catalog/phone-card.tsx";
import type { PhoneTileData } from "#app/features/listings/phones.server.ts";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";

const categories = [
  {
    path: "/android",
    name: "Android",
    text: "Galaxy, Pixel, OnePlus, Xperia and more.",
    device: "samsung-galaxy-s24",
    size: "w-full sm:w-[132%]",
  },
  {
    path: "/ios",
    name: "iPhone",
    text: "From the pocket-sized mini to the Pro.",
    device: "apple-iphone-13",
    size: "w-full sm:w-[132%]",
  },
  {
    path: "/tablet",
    name: "Tablets",
    text: "iPad, Galaxy Tab and others, for the sofa and the desk.",
    device: "apple-ipad-air-5",
    size: "w-full sm:w-[108%]",
  },
];

export function Categories({ newest }: { newest: PhoneTileData[] }) {
  return (
    <section aria-labelledby="categories" className="page-width pt-10 sm:pt-24">
      <h2 id="categories" className="text-3xl font-semibold sm:text-5xl">
        Choose a category
      </h2>
      <ul className="mt-4 grid grid-cols-[1fr_1fr_1.35fr] sm:mt-8">
        {categories.map(({ path, name, text, device, size }) => (
          <li key={path} className="group relative row-span-2 grid min-w-0 grid-rows-subgrid">
            <div className="flex items-end justify-center overflow-hidden border-b-4 border-base-content">
              <DeviceDrawing
                device={device}
                className={`-mb-[7%] shrink-0 transition-transform group-hover:-translate-y-1 ${size}`}
              />
            </div>
            <div className="flex items-start justify-between gap-1 pt-2 pr-2 sm:gap-4 sm:pt-4 sm:pr-6">
              <div>
                <h3 className="text-xl font-semibold sm:text-3xl">
                  <Link to={path} className="after:absolute after:inset-0 group-hover:underline">
                    {name}
                  </Link>
                </h3>
                <p className="mt-1 text-quiet max-sm:hidden">{text}</p>
              </div>
              <ArrowRightIcon className="size-5 shrink-0 text-primary max-sm:mt-1 sm:mt-2 sm:size-6" />
            </div>
          </li>
        ))}
      </ul>
      {newest.length > 0 && <Newest phones={newest} />}
    </section>
  );
}

/** On handsets a row that scrolls sideways. */
function Newest({ phones }: { phones: PhoneTileData[] }) {
  return (
    <>
      <div className="mt-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 sm:mt-16">
        <h3 id="newest" className="text-2xl font-semibold sm:text-3xl">
          Just listed
        </h3>
        <Link to="/products" className="link underline-offset-4">
          See all devices
        </Link>
      </div>
      <ul
        aria-labelledby="newest"
        className="-mx-4 mt-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 *:w-40 *:shrink-0 *:snap-start sm:mx-0 sm:grid sm:grid-cols-4 sm:gap-6 sm:overflow-visible sm:p-0 sm:*:w-auto"
      >
        {phones.map((phone) => (
          <PhoneTile key={phone.id} phone={phone} heading="h4" />
        ))}
      </ul>
    </>
  );
}
