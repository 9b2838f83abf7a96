import { brand } from "#app/brand.ts";

export function WhoWeAre() {
  return (
    <section aria-labelledby="about" className="overflow-hidden border-b-4 border-base-content">
      <div className="page-width grid grid-cols-1 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-8">
        <div className="pt-10 pb-8 sm:pt-16 lg:pt-24 lg:pb-24">
          <h1 id="about" className="text-5xl font-semibold sm:text-7xl">
            About us
          </h1>
          <p className="mt-6 font-display text-2xl leading-snug text-balance sm:text-3xl">
            Most phones are given up long before they give out. We find them a new owner.
          </p>
          <p className="mt-6 max-w-prose text-lg">
            {brand.name} is a marketplace for used phones and tablets. Some people sell a device they no
            longer use; others find exactly the one they need. We verify sellers, show the market price next
            to the asking price, and still answer after the delivery.
          </p>
        </div>
        <div className="relative flex items-end justify-center lg:justify-start">
          <img
            src="/devices/samsung-galaxy-tab-s9-fe.svg"
            alt=""
            width="400"
            height="360"
            className="-mb-[3.25%] h-auto w-72 max-w-none shrink-0 sm:-ml-8 sm:w-[30rem] lg:-ml-10 lg:w-[33rem]"
          />
          <img
            src="/devices/asus-zenfone-9.svg"
            alt=""
            width="400"
            height="360"
            className="-mb-[2.5%] -ml-32 h-auto w-52 max-w-none shrink-0 sm:-ml-52 sm:w-80 lg:-ml-64 lg:w-[22rem]"
          />
        </div>
      </div>
    </section>
  );
}
