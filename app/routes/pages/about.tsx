import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import { aboutSlug } from "#app/features/pages/page-slugs.ts";
import stylesheet from "#app/features/pages/page-text.css?url";
import { PageText } from "#app/features/pages/page-text.tsx";
import { findPublishedPage } from "#app/features/pages/pages.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { market } from "#app/market.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { howToPay, orderDeadlines, terms } from "#app/terms.ts";
import { ArrowRightIcon, VerifiedIcon } from "#app/ui/icons.tsx";

export const meta: MetaFunction = () =>
  pageTitle(
    "About us",
    `Who ${brand.company} is, how buying and selling a used phone works here, what we check and what we promise.`,
  );

export const handle: RouteHandle = {
  access: "anyone",
  cached: {},
  canonical: () => ({ address: "/about", kind: "website" }),
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context }: LoaderFunctionArgs) {
  // Public. Without the database the page only lacks what administrators added.
  const added = await unlessOutage(
    context,
    () => findPublishedPage(context.db, aboutSlug, 3),
    () => null,
  );
  // Loaded on demand: few requests need them.
  const { default: texts } = await import("./about.md");
  return { added, isProtected: hasProvider(context.environment), texts };
}

export default function About() {
  const { added, isProtected, texts } = useLoaderData<typeof loader>();
  const [intro, company, ...checks] = texts;
  return (
    <>
      <WhoWeAre intro={intro?.html} />
      <Handover isProtected={isProtected} />
      <Checks checks={checks} />
      <Promises isProtected={isProtected} />
      <Company text={company?.html} />
      {added && (
        <section aria-labelledby="added" className="page-width pt-16 sm:pt-24">
          <h2 id="added" className="text-4xl font-semibold wrap-anywhere sm:text-5xl">
            {added.title}
          </h2>
          <PageText html={added.html} className="mt-6 text-lg" />
        </section>
      )}
    </>
  );
}

function WhoWeAre({ intro = "" }: { intro?: string }) {
  return (
    <section aria-labelledby="about" className="overflow-hidden border-b-4 border-base-content">
      <div className="page-width grid grid-cols-1 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-8">
        <div className="pt-10 pb-8 sm:pt-16 lg:pt-24 lg:pb-24">
          <h1 id="about" className="text-5xl font-semibold sm:text-7xl">
            About us
          </h1>
          <p className="mt-6 font-display text-2xl leading-snug text-balance sm:text-3xl">
            Most phones get replaced long before they give out. We find them a new owner.
          </p>
          <PageText html={intro} className="mt-6 text-lg" />
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

/** Whom the buyer pays, and who holds the money. */
const sellerSteps = (isProtected: boolean) => [
  "Sign up as a seller. Once we’ve verified you, your listings get a badge.",
  "Describe the device: memory, camera, battery, how long you’ve had it and why you’re selling. You set the price.",
  `Once someone books it, hand it over or ship it within ${orderDeadlines.reserved.days} days. ${howToPay("seller", isProtected)}`,
];

const buyerSteps = (isProtected: boolean) => [
  "Browse without an account. Details shows everything the seller says about the device.",
  `Log in and press Buy Now. The device is then reserved for you. ${howToPay("buyer", isProtected)}`,
  `Once you have it, mark it as received. Changed your mind before the handover? Cancel under My Orders. ${terms.claim}`,
];

function Handover({ isProtected }: { isProtected: boolean }) {
  return (
    <section aria-labelledby="handover" className="bg-base-200">
      <div className="page-width py-16 sm:py-24">
        <h2 id="handover" className="text-4xl font-semibold sm:text-5xl lg:text-center">
          How it works
        </h2>
        <div className="mt-8 grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-[1fr_24rem_1fr] lg:gap-x-4 lg:mt-12">
          <Side title="If you sell" steps={sellerSteps(isProtected)}>
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
          <Side title="If you buy" steps={buyerSteps(isProtected)}>
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

function Checks({ checks }: { checks: { title: string; html: string }[] }) {
  return (
    <section aria-labelledby="checks" className="overflow-hidden">
      <div className="page-width grid grid-cols-1 gap-y-8 py-16 sm:py-24 lg:grid-cols-2 lg:gap-x-16">
        <h2 id="checks" className="text-4xl font-semibold sm:text-5xl">
          What we check
        </h2>
        <div className="mx-auto w-full max-w-lg self-center lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:-ml-8 lg:w-[38rem] lg:max-w-none">
          <img
            src="/devices/apple-iphone-13-pro.svg"
            alt=""
            width="400"
            height="360"
            loading="lazy"
            className="h-auto w-full"
          />
        </div>
        <div>
          <dl className="text-pretty">
            {checks.map(({ title, html }) => (
              <div key={title} className="border-t border-base-300 py-6">
                <dt className="font-display text-2xl font-semibold">{title}</dt>
                <dd className="mt-1 text-quiet">
                  <PageText html={html} />
                </dd>
              </div>
            ))}
          </dl>
          <p className="grid grid-cols-[2.5rem_1fr] gap-x-4 border-y border-base-300 py-6">
            <VerifiedIcon className="size-10 text-success" />
            <span>
              And the seller: <strong className="font-semibold">Verified seller</strong> means one of us has
              looked at the account and what it sells.
            </span>
          </p>
        </div>
      </div>
    </section>
  );
}

const promises = (isProtected: boolean) => [
  {
    name: "Authenticity",
    text: terms.authenticity,
  },
  {
    name: "Shipping",
    text: `${terms.delivery} ${terms.notDelivered}`,
  },
  {
    name: "Easy payment",
    text: isProtected
      ? `${howToPay("buyer", true)} There’s one price, in ${market.currencyName}: the one you book for.`
      : `One price, in ${market.currencyName}: you pay what you book for. ${terms.notHeld} ${howToPay("buyer", false)}`,
  },
  {
    name: "Professional service",
    text: terms.claim,
  },
];

function Promises({ isProtected }: { isProtected: boolean }) {
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
              {market.warranty.length}
            </p>
            <p className="mt-3 max-w-xs text-lg">{market.warranty.cover}.</p>
            <p className="mt-3 max-w-xs text-pretty">{market.warranty.extra}</p>
          </div>
        </div>
        <dl className="self-end border-b border-base-300">
          {promises(isProtected).map(({ name, text }) => (
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

function Company({ text = "" }: { text?: string }) {
  return (
    <section
      aria-labelledby="company"
      className="page-width grid gap-8 pt-16 sm:pt-24 lg:grid-cols-[5fr_6fr] lg:gap-24"
    >
      <h2 id="company" className="text-4xl font-semibold sm:text-5xl">
        {brand.company}
      </h2>
      <div className="text-lg">
        <PageText html={text} />
        <p className="mt-6">
          <Link to="/report" className="btn btn-outline">
            Report a problem
          </Link>
        </p>
      </div>
    </section>
  );
}
