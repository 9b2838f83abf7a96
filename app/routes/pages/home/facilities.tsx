import { Link } from "@remix-run/react";
import { market } from "#app/market.ts";
import { terms } from "#app/terms.ts";
import { Accordion } from "#app/ui/accordion.tsx";
import { ChargerIcon, RepairIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";

const facilities = [
  {
    icon: <WarrantyIcon className="size-7 shrink-0" />,
    title: "Warranty",
    body: (
      <p>
        {terms.warranty} {market.warranty.extra} It starts on the day you receive the device. {terms.claim}{" "}
        <More to="/about#promises">Read what we promise</More>
      </p>
    ),
  },
  {
    icon: <RepairIcon className="size-7 shrink-0" />,
    title: "Repair service",
    body: (
      <p>
        Screens, batteries, ports and buttons: our workshop repairs phones and tablets, whether or not you
        bought them here. <More to="/report">Tell us what’s broken</More>, and we’ll tell you the cost and
        time before we open it.
      </p>
    ),
  },
  {
    icon: <ChargerIcon className="size-7 shrink-0" />,
    title: "Accessories",
    body: (
      <p>
        Chargers and cables for older ports, screen protectors, and cases for phones that stores gave up on.{" "}
        <More to="/report">Ask for them</More> when you buy your device.
      </p>
    ),
  },
];

function More({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="link underline-offset-4">
      {children}
    </Link>
  );
}

export function Facilities() {
  return (
    <section
      aria-labelledby="facilities"
      className="page-width grid gap-5 pt-10 sm:gap-8 sm:pt-24 lg:grid-cols-[5fr_7fr] lg:gap-16"
    >
      <div>
        <h2 id="facilities" className="text-3xl font-semibold sm:text-5xl">
          Other facilities
        </h2>
        <p className="mt-2 max-w-xs text-quiet sm:mt-4">More we can do for your device.</p>
      </div>
      <Accordion name="facilities" headings="h3" items={facilities} />
    </section>
  );
}
