import { Link } from "@remix-run/react";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";

const categories = [
  {
    path: "/android",
    name: "Android",
    text: "Galaxy, Pixel, OnePlus, Xperia and more.",
    device: "samsung-galaxy-s24",
    size: "w-full md:w-[132%]",
  },
  {
    path: "/ios",
    name: "iPhone",
    text: "From the pocket-sized mini to the Pro.",
    device: "apple-iphone-13",
    size: "w-full md:w-[132%]",
  },
  {
    path: "/tablet",
    name: "Tablets",
    text: "iPad, Galaxy Tab and others, for the sofa and the desk.",
    device: "apple-ipad-air-5",
    size: "w-full md:w-[108%]",
  },
];

export function Categories() {
  return (
    <section aria-labelledby="categories" className="page-width pt-16 sm:pt-24">
      <h2 id="categories" className="text-4xl font-semibold sm:text-5xl">
        Choose a category
      </h2>
      <ul className="mt-8 grid gap-y-12 md:grid-cols-[1fr_1fr_1.35fr] md:gap-y-0">
        {categories.map(({ path, name, text, device, size }) => (
          <li key={path} className="group relative min-w-0 md:row-span-2 md:grid md:grid-rows-subgrid">
            <div className="flex items-end justify-center overflow-hidden border-b-4 border-base-content">
              <DeviceDrawing
                device={device}
                className={`-mb-[7%] shrink-0 transition-transform group-hover:-translate-y-1 ${size}`}
              />
            </div>
            <div className="flex items-start justify-between gap-4 pt-4 md:pr-6">
              <div>
                <h3 className="text-3xl font-semibold">
                  <Link to={path} className="after:absolute after:inset-0 group-hover:underline">
                    {name}
                  </Link>
                </h3>
                <p className="mt-1 text-quiet">{text}</p>
              </div>
              <ArrowRightIcon className="mt-2 size-6 shrink-0 text-primary" />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
