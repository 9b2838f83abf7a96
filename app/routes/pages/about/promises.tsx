import { market } from "#app/market.ts";

const promises = [
  {
    name: "Authenticity",
    text: "Genuine devices only. If yours is not, tell us, and we will put it right.",
  },
  {
    name: "Shipping",
    text: "Packed with care and sent to the address on your booking.",
  },
  {
    name: "Easy payment",
    text: `One price, in ${market.currencyName}: the same on the listing, the booking and your order.`,
  },
  {
    name: "Professional service",
    text: "Someone who knows phones reads your message and answers in plain words.",
  },
];

export function Promises() {
  return (
    <section aria-labelledby="promises" data-theme="ink" className="bg-base-200 text-base-content">
      <div className="page-width grid gap-12 py-16 sm:py-24 lg:grid-cols-[5fr_6fr] lg:gap-24">
        <div>
          <h2 id="promises" className="text-4xl font-semibold sm:text-5xl">
            What we promise
          </h2>
          <div className="mt-10">
            <h3 className="text-2xl font-semibold">Warranty</h3>
            <p className="mt-2 font-display text-7xl leading-none font-semibold tracking-tight tabular-nums sm:text-8xl">
              1 year
            </p>
            <p className="mt-3 max-w-xs text-lg">on parts, excluding battery and display, plus seven days.</p>
          </div>
        </div>
        <dl className="self-end border-b border-base-300">
          {promises.map(({ name, text }) => (
            <div key={name} className="gap-6 border-t border-base-300 py-6 sm:grid sm:grid-cols-[12rem_1fr]">
              <dt className="font-display text-2xl leading-tight font-semibold">{name}</dt>
              <dd className="mt-1 text-quiet">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
