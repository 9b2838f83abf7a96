import { VerifiedIcon } from "#app/ui/icons.tsx";
import { ParcelIcon, PaymentIcon, ServiceIcon, WarrantyIcon } from "#app/ui/service-icons.tsx";

const benefits = [
  {
    Icon: WarrantyIcon,
    name: "Warranty",
    text: "Parts are covered for a year, so a bargain stays a bargain.",
  },
  {
    Icon: VerifiedIcon,
    name: "Authenticity",
    text: "Genuine devices only. The brand, model and storage in the listing are what you get.",
  },
  {
    Icon: ParcelIcon,
    name: "Shipping",
    text: "Packed safely and sent to the address on your booking.",
  },
  {
    Icon: PaymentIcon,
    name: "Easy payment",
    text: "One price, in dollars. The price on the listing is the price you pay.",
  },
  {
    Icon: ServiceIcon,
    name: "Professional service",
    text: "People who know phones answer your questions in plain words.",
  },
];

export function Benefits() {
  return (
    <section aria-labelledby="benefits" className="mt-16 bg-base-200 py-16 sm:mt-24 sm:py-24">
      <div className="page-width grid gap-12 lg:grid-cols-[5fr_6fr] lg:gap-24">
        <div>
          <h2 id="benefits" className="text-4xl font-semibold sm:text-5xl">
            Used, not worn out
          </h2>
          <p className="mt-4 max-w-sm text-lg">
            The features and benefits that come with every device we sell.
          </p>
          <Battery />
        </div>
        <ul className="border-b border-base-300">
          {benefits.map(({ Icon, name, text }) => (
            <li key={name} className="grid grid-cols-[2.5rem_1fr] gap-x-4 border-t border-base-300 py-6">
              <Icon className="size-8" />
              <div>
                <h3 className="text-2xl font-semibold">{name}</h3>
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
    <div className="mt-10">
      <p>
        <span className="block text-quiet">At least</span>
        <span className="block font-display text-8xl leading-none font-semibold tracking-tight tabular-nums sm:text-[9rem]">
          90%
        </span>
        <span className="mt-2 block max-w-xs text-xl">battery health on every iPhone</span>
      </p>
      <svg viewBox="0 0 220 72" aria-hidden="true" className="mt-8 w-full max-w-sm">
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
    </div>
  );
}
