import { Link } from "@remix-run/react";
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

export function Categories() {
  return (
    <section aria-labelledby="categories" className="page-width pt-10 sm:pt-24">
      <h2 id="categories" className="text-3xl font-semibold sm:text-5xl">
        Choose a category
      </h2>
      <ul className="mt-4 grid grid-cols-[1fr_1fr_1.35fr] sm:mt-8">
        {categories.map(({ path, name, text, device, size }) => (
          <li key={path} className="group relative row-span-2 grid min-w-0 grid-rows-subgrid">
            <div className="flex items-end justify-center overflow-hidden border-b-4 border-base-content">
              <DeviceDrawing device={device} className={`-mb-[7%] shrink-0 ${size}`} />
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
    </section>
  );
}
