import { Link } from "@remix-run/react";
import { market } from "#app/market.ts";
import { VerifiedIcon } from "#app/ui/icons.tsx";
import { ParcelIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";

/** The same promises as on the About page. */
const points = [
  {
    Icon: WarrantyIcon,
    name: market.warranty.short,
    text: "on parts, excluding battery and display, plus seven days.",
  },
  {
    Icon: VerifiedIcon,
    name: "Genuine device:",
    text: "if yours turns out not to be, tell us and we will put it right.",
  },
  {
    Icon: ParcelIcon,
    name: "Packed with care",
    text: "and sent to the address you enter when you book.",
  },
];

export function TrustPoints() {
  return (
    <section aria-label="What is included" className="border-t border-base-300 pt-5">
      <ul className="grid gap-3">
        {points.map(({ Icon, name, text }) => (
          <li key={name} className="flex gap-3">
            <Icon className="size-6 shrink-0" />
            <p>
              <span className="font-medium">{name}</span> <span className="text-quiet">{text}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-3">
        <Link to="/about" className="link text-sm underline-offset-4">
          What we promise
        </Link>
      </p>
    </section>
  );
}
