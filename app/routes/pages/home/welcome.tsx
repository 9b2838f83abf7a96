import { Form, Link } from "@remix-run/react";
import { SearchField } from "#app/features/catalog/search-field.tsx";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";
import { Rings } from "./rings.tsx";

export function Welcome() {
  return (
    <section aria-labelledby="welcome" className="overflow-x-clip">
      <div className="page-width grid lg:grid-cols-[30rem_1fr]">
        <div className="relative z-10 min-w-0 pt-8 pb-6 sm:pt-20 sm:pb-10 lg:py-24">
          <h1
            id="welcome"
            // Two lines in any font, so that nothing moves when the font has loaded.
            className="text-[min(3rem,12.5vw)] leading-[1.04] font-semibold whitespace-nowrap sm:text-7xl lg:w-max lg:text-[5.25rem]"
          >
            A good phone <br />
            <Underlined>rings twice.</Underlined>
          </h1>
          <p className="mt-5 max-w-md text-lg sm:mt-8 sm:text-xl">
            Buy a used phone or tablet from its owner, or sell your own.
          </p>
          <Find />
          <p className="mt-4 flex flex-wrap gap-2 sm:gap-3">
            <Link to="/products" className="btn btn-outline">
              Browse all devices <ArrowRightIcon />
            </Link>
            <Link to="/addphone" className="btn btn-outline">
              Sell yours
            </Link>
          </p>
          <p className="mt-5 max-w-md text-quiet sm:mt-8">
            Warranty, authenticity, shipping, easy payment and professional service{" "}
            <Link to="#benefits" className="link underline-offset-4">
              come with every device
            </Link>
            .
          </p>
        </div>
        <Devices />
      </div>
    </section>
  );
}

function Find() {
  return (
    <search aria-label="All devices" className="relative mt-6 block max-w-md">
      <Form action="/products">
        <SearchField words="" hero />
      </Form>
    </search>
  );
}

function Underlined({ children }: { children: string }) {
  return (
    <span className="relative isolate inline-block">
      {children}
      <svg
        viewBox="0 0 300 20"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="absolute inset-x-0 -bottom-2 -z-10 h-[0.28em] w-full text-accent"
      >
        <path
          d="M5 12C70 6 150 4 294 8 220 9 150 11 96 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  );
}

function Devices() {
  return (
    // Cut off at the bottom here, since suggestions may reach out of the section.
    <div className="relative flex min-w-0 items-end justify-center [clip-path:inset(-100rem_-100rem_0)] lg:justify-start">
      <Rings className="bottom-0 left-1/2 w-[42rem] -translate-x-1/2 translate-y-[38%] sm:w-[92rem] sm:translate-y-[40%] lg:left-96 lg:w-[104rem]" />
      <div className="relative isolate -mb-[3%] flex items-end lg:-ml-10">
        <DeviceDrawing
          device="nothing-phone-1"
          alt="Nothing Phone (1)"
          loading="eager"
          className="-mr-24 w-44 sm:-mr-48 sm:w-80"
        />
        <DeviceDrawing
          device="apple-iphone-15-pro"
          alt="Apple iPhone 15 Pro"
          loading="first"
          className="relative z-10 w-60 sm:w-[34rem]"
        />
        <DeviceDrawing
          device="google-pixel-9"
          alt="Google Pixel 9"
          loading="eager"
          className="-ml-24 w-48 sm:-ml-48 sm:w-96"
        />
      </div>
    </div>
  );
}
