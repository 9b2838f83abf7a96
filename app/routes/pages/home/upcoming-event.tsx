import { Link } from "@remix-run/react";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";

export function UpcomingEvent() {
  return (
    <section aria-labelledby="upcoming-event" className="page-width pt-8 sm:pt-24">
      <div className="relative grid overflow-hidden rounded-box bg-accent text-accent-content lg:grid-cols-[20rem_1fr]">
        <div className="flex flex-col justify-center border-accent-content/40 px-6 py-5 max-lg:border-b-2 max-lg:border-dashed lg:border-r-2 lg:border-dashed lg:px-10 lg:py-16">
          <p className="font-display leading-none font-semibold tabular-nums">
            <span className="text-6xl tracking-tight lg:text-9xl">
              25<span className="align-top text-3xl lg:text-5xl">%</span>
            </span>{" "}
            <span className="text-4xl lg:block lg:text-5xl">off</span>
          </p>
          <p className="mt-2 font-medium lg:mt-6">or more, off the market price</p>
        </div>
        <Notches />
        <div className="relative px-6 py-6 sm:pb-10 lg:px-12 lg:py-16">
          <div className="relative z-10 max-w-sm lg:max-w-xs xl:max-w-sm">
            <p className="font-medium">Upcoming event</p>
            <h2 id="upcoming-event" className="mt-1 text-3xl font-semibold sm:mt-2 sm:text-5xl">
              The drawer sale
            </h2>
            <p className="mt-3 sm:mt-4 sm:text-lg">
              Sellers are clearing out their drawers, and there’s no last day. You need no code: the price you
              see is the price you pay. Save a search, and we’ll tell you when a price drops.
            </p>
            <p className="mt-3 sm:mt-4">
              <Link
                to="/products?sort=saving"
                className="inline-flex min-h-11 items-center gap-2 font-medium underline underline-offset-4"
              >
                See what’s most off market price <ArrowRightIcon />
              </Link>
            </p>
          </div>
          <DeviceDrawing
            device="samsung-galaxy-s23"
            className="absolute rotate-6 max-sm:hidden sm:-right-16 sm:-bottom-28 sm:w-[27rem] lg:-right-10 lg:-bottom-20 lg:w-[22rem] xl:-bottom-24 xl:w-[28rem]"
          />
        </div>
      </div>
    </section>
  );
}

function Notches() {
  return (
    <div
      aria-hidden="true"
      className="relative max-lg:h-0 lg:absolute lg:inset-y-0 lg:left-80 lg:w-0 *:absolute *:size-8 *:rounded-full *:bg-base-100"
    >
      <span className="max-lg:top-[-17px] max-lg:-left-4 lg:-top-4 lg:left-[-17px]" />
      <span className="max-lg:top-[-17px] max-lg:-right-4 lg:-bottom-4 lg:left-[-17px]" />
    </div>
  );
}
