import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { newestAvailable } from "#app/features/catalog/feed.server.ts";
import { RecentlySeen } from "#app/features/catalog/recently-seen.tsx";
import type { ListingTileData } from "#app/features/listings/listings.server.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { market } from "#app/market.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { Benefits } from "./home/benefits.tsx";
import { BestDiscounts } from "./home/best-discounts.tsx";
import { Categories } from "./home/categories.tsx";
import { ContactSection } from "./home/contact.tsx";
import { Facilities } from "./home/facilities.tsx";
import { Newest } from "./home/newest.tsx";
import { Reviews } from "./home/reviews.tsx";
import { SellBanner } from "./home/sell-banner.tsx";
import { Stats } from "./home/stats.tsx";
import { UpcomingEvent } from "./home/upcoming-event.tsx";
import { Welcome } from "./home/welcome.tsx";

export const meta: MetaFunction<typeof loader> = ({ error, data }) =>
  pageTitle(
    errorTitle(error) ?? "Used phones and tablets with a second life",
    `Buy a used phone or tablet from its owner, or sell your own: genuine devices, a ${market.warranty.long}, and ${data?.isProtected ? "your money is held until the device has arrived" : "you pay the seller, not us"}.`,
  );

export const handle: RouteHandle = {
  access: "anyone",
  cached: {},
  canonical: () => ({ address: "/", kind: "website" }),
};

export async function loader({ context }: LoaderFunctionArgs) {
  // Public. Without the database the page only lacks its listings.
  const newest = await unlessOutage(
    context,
    () => newestAvailable(context.db),
    (): ListingTileData[] => [],
  );
  return { newest, isProtected: hasProvider(context.environment) };
}

/** The home page, with the specification's ten sections in their order. Only the newest listings are not fixed. */
export default function Home() {
  const { newest, isProtected } = useLoaderData<typeof loader>();
  return (
    <>
      <Welcome />
      {newest.length > 0 && <Newest phones={newest} />}
      <Stats isFirst={newest.length === 0} />
      <BestDiscounts />
      <UpcomingEvent />
      <Categories />
      <Benefits isProtected={isProtected} />
      <SellBanner />
      <Facilities />
      <ContactSection />
      <Reviews />
      <RecentlySeen className="page-width pt-8 pb-16" />
    </>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
