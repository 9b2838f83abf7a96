import { Link } from "@remix-run/react";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";
import { Rings } from "./rings.tsx";

export function SellBanner() {
  return (
    <section
      aria-labelledby="sell"
      data-theme="ink"
      className="relative overflow-hidden bg-plane-sky text-base-content"
    >
      <div className="page-width grid lg:grid-cols-[1fr_1fr] lg:gap-12">
        <div className="relative z-10 pt-10 pb-6 sm:pt-16 sm:pb-12 lg:py-28">
          <h2 id="sell" className="text-3xl font-semibold sm:text-5xl">
            <span className="block">There’s a phone in your drawer.</span>{" "}
            <span className="block">It could be ringing.</span>
          </h2>
          <p className="mt-4 max-w-md sm:mt-6 sm:text-lg">
            Describe it, pick its condition, set your price. Someone is looking for exactly that phone.
          </p>
          <p className="mt-5 sm:mt-8">
            <Link to="/addphone" className="btn btn-primary btn-lg">
              Sell your phone <ArrowRightIcon />
            </Link>
          </p>
        </div>
        <Drawer />
      </div>
    </section>
  );
}

function Drawer() {
  return (
    <div aria-hidden="true" className="relative flex min-h-52 min-w-0 items-end justify-center sm:min-h-96">
      <Rings className="bottom-24 left-1/2 w-[40rem] sm:bottom-44 sm:w-[68rem] -translate-x-1/2 translate-y-1/2" />
      <div className="absolute bottom-6 flex items-end justify-center sm:bottom-14">
        <DeviceDrawing device="apple-iphone-11" className="-mr-28 w-40 sm:-mr-48 sm:w-80 lg:w-72 xl:w-80" />
        <DeviceDrawing
          device="google-pixel-5"
          className="relative -mr-28 mb-6 w-40 sm:-mr-48 sm:mb-10 sm:w-80 lg:w-72 xl:w-80"
        />
        <DeviceDrawing device="fairphone-5" className="relative w-40 sm:w-80 lg:w-72 xl:w-80" />
      </div>
      <div className="relative flex h-20 w-[40rem] max-w-full shrink-0 items-center justify-center rounded-t-box border-t-8 border-base-100 bg-base-300 sm:h-40">
        <span className="h-3 w-28 rounded-full bg-accent" />
      </div>
    </div>
  );
}
