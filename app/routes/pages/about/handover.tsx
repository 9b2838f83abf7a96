import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { ArrowRightIcon } from "#app/ui/icons.tsx";

const sellerSteps = [
  "Sign up as a seller. We verify new sellers; after that, their listings show a badge.",
  "Describe the device: memory, camera, battery, how long you have used it and why you are selling it. You set the price.",
  "It stays listed until someone books it. My Sells shows all your listings.",
];

const buyerSteps = [
  "Browse without an account. Details shows everything the seller says about the device.",
  "Log in and press Buy Now. You pay the price on the listing; all you add is an address and a phone number.",
  "The device is then reserved for you. Changed your mind? Cancel under My Orders.",
];

export function Handover() {
  return (
    <section aria-labelledby="handover" className="bg-base-200">
      <div className="page-width py-16 sm:py-24">
        <h2 id="handover" className="text-4xl font-semibold sm:text-5xl lg:text-center">
          How it works
        </h2>
        <div className="mt-8 grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-[1fr_24rem_1fr] lg:gap-x-4 lg:mt-12">
          <Side title="If you sell" steps={sellerSteps}>
            <Link to="/addphone" className="btn btn-outline">
              Sell a device <ArrowRightIcon />
            </Link>
          </Side>
          <img
            src="/devices/huawei-p30-pro.svg"
            alt=""
            width="400"
            height="360"
            loading="lazy"
            className="h-auto w-full max-w-96 self-center justify-self-center max-lg:order-first sm:max-lg:col-span-2 lg:w-[27rem] lg:max-w-none"
          />
          <Side title="If you buy" steps={buyerSteps}>
            <Link to="/products" className="btn btn-primary">
              Browse devices <ArrowRightIcon />
            </Link>
          </Side>
        </div>
      </div>
    </section>
  );
}

function Side({ title, steps, children }: { title: string; steps: string[]; children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <h3 className="border-b-2 border-base-content pb-3 text-2xl font-semibold">{title}</h3>
      <ol className="text-pretty">
        {steps.map((step, index) => (
          <li key={step} className="grid grid-cols-[2rem_1fr] border-b border-base-300 py-4">
            <span
              aria-hidden="true"
              className="font-display text-2xl leading-none font-semibold tabular-nums"
            >
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <p className="mt-auto pt-6">{children}</p>
    </div>
  );
}
