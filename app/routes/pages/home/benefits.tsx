import { Link } from "@remix-run/react";
import { market } from "#app/market.ts";
import { howToPay, terms } from "#app/terms.ts";
import { ArrowRightIcon, VerifiedIcon } from "#app/ui/icons.tsx";
import { ParcelIcon, PaymentIcon, ServiceIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";

const benefits = (isProtected: boolean) => [
  {
    Icon: WarrantyIcon,
    name: "Warranty",
    text: `${terms.warranty} So a bargain stays a bargain.`,
    path: "/about#promises",
  },
  {
    Icon: VerifiedIcon,
    name: "Authenticity",
    text: terms.authenticity,
    path: "/about#promises",
  },
  {
    Icon: ParcelIcon,
    name: "Shipping",
    text: `${terms.delivery} ${terms.notDelivered}`,
    path: "/about#handover",
  },
  {
    Icon: PaymentIcon,
    name: "Easy payment",
    text: `One price, in ${market.currencyName}. ${howToPay("buyer", isProtected)}`,
    path: "/about#handover",
  },
  {
    Icon: ServiceIcon,
    name: "Professional service",
    text: terms.claim,
    path: "/report",
  },
];

export function Benefits({ isProtected }: { isProtected: boolean }) {
  return (
    <section aria-labelledby="benefits" className="mt-10 bg-base-200 py-10 sm:mt-24 sm:py-24">
      <div className="page-width grid gap-8 sm:gap-12 lg:grid-cols-[5fr_6fr] lg:gap-24">
        <div>
          <h2 id="benefits" className="text-3xl font-semibold sm:text-5xl">
            Used, not worn out
          </h2>
          <p className="mt-3 max-w-sm text-lg sm:mt-4">What you get with every device.</p>
          <Battery />
        </div>
        <ul className="border-b border-base-300">
          {benefits(isProtected).map(({ Icon, name, text, path }) => (
            <li
              key={name}
              className="relative grid grid-cols-[2.5rem_1fr] gap-x-3 border-t border-base-300 py-4 sm:gap-x-4 sm:py-6"
            >
              <Icon className="size-8" />
              <div>
                <h3 className="text-xl font-semibold sm:text-2xl">
                  <Link to={path} className="underline-offset-4 after:absolute after:inset-0 hover:underline">
                    {name}
                  </Link>
                </h3>
                <p className="mt-1 text-quiet">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Battery() {
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4 sm:mt-10 sm:block">
      <p className="max-sm:max-w-44">
        <span className="block text-quiet">At least</span>
        <span className="block font-display text-6xl leading-none font-semibold tracking-tight tabular-nums sm:text-[9rem]">
          90%
        </span>
        <span className="mt-2 block max-w-xs sm:text-xl">battery health on every iPhone</span>
      </p>
      <svg viewBox="0 0 220 72" aria-hidden="true" className="w-32 sm:mt-8 sm:w-full sm:max-w-sm">
        <rect
          x="1.5"
          y="1.5"
          width="205"
          height="69"
          rx="14"
          fill="none"
          strokeWidth="3"
          className="stroke-base-content"
        />
        <path d="M213 26v20" strokeWidth="6" strokeLinecap="round" className="stroke-base-content" />
        {Array.from({ length: 10 }, (_, cell) => (
          <rect
            key={cell}
            x={10 + cell * 19}
            y="10"
            width="16"
            height="52"
            rx="4"
            className={cell < 9 ? "fill-accent" : "fill-base-300"}
          />
        ))}
      </svg>
      <p className="sm:mt-6">
        <Link
          to="/ios"
          className="inline-flex min-h-11 items-center gap-2 font-medium text-primary underline-offset-4 hover:underline"
        >
          See all iPhones <ArrowRightIcon />
        </Link>
      </p>
    </div>
  );
}
