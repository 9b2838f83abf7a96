import { VerifiedIcon } from "#app/ui/icons.tsx";

/** `x` and `y` place the number on the drawing of 400 by 360 units. */
const checks = [
  {
    name: "The device is genuine",
    text: "Genuine brand device. No knockoffs.",
    x: 74,
    y: 190,
  },
  {
    name: "It matches the listing",
    text: "Brand, model, RAM and storage are what the listing says.",
    x: 326,
    y: 120,
  },
  {
    name: "Battery health",
    text: "An iPhone sold here has at least 90% battery health. For other devices, see the seller’s description.",
    x: 262,
    y: 306,
  },
];

export function Checks() {
  return (
    <section aria-labelledby="checks" className="overflow-hidden">
      <div className="page-width grid grid-cols-1 gap-y-8 py-16 sm:py-24 lg:grid-cols-2 lg:gap-x-16">
        <h2 id="checks" className="text-4xl font-semibold sm:text-5xl">
          What we check
        </h2>
        <div className="relative mx-auto w-full max-w-lg self-center lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:-ml-8 lg:w-[38rem] lg:max-w-none">
          <img
            src="/devices/apple-iphone-13-pro.svg"
            alt=""
            width="400"
            height="360"
            loading="lazy"
            className="h-auto w-full"
          />
          <svg viewBox="0 0 400 360" aria-hidden="true" className="absolute inset-0 size-full">
            {checks.map(({ name, x, y }, index) => (
              <g key={name} transform={`translate(${x} ${y})`}>
                <circle r="15" className="fill-accent stroke-base-100" strokeWidth="4" />
                <text
                  y="5.5"
                  textAnchor="middle"
                  className="fill-accent-content font-display text-base font-semibold"
                >
                  {index + 1}
                </text>
              </g>
            ))}
          </svg>
        </div>
        <div>
          <ol className="text-pretty">
            {checks.map(({ name, text }, index) => (
              <li key={name} className="grid grid-cols-[2.5rem_1fr] gap-x-4 border-t border-base-300 py-6">
                <span
                  aria-hidden="true"
                  className="grid size-10 place-items-center rounded-full bg-accent font-display text-xl font-semibold text-accent-content"
                >
                  {index + 1}
                </span>
                <div>
                  <h3 className="text-2xl font-semibold">{name}</h3>
                  <p className="mt-1 text-quiet">{text}</p>
                </div>
              </li>
            ))}
          </ol>
          <p className="grid grid-cols-[2.5rem_1fr] gap-x-4 border-y border-base-300 py-6">
            <VerifiedIcon className="size-10 text-success" />
            <span>
              And the seller: <strong className="font-semibold">Verified seller</strong> on a listing means
              that one of our administrators has verified the account.
            </span>
          </p>
        </div>
      </div>
    </section>
  );
}
