import type { MetaFunction } from "@remix-run/cloudflare";
import { pageTitle } from "#app/server/http/page-title.ts";
import { Benefits } from "./home/benefits.tsx";
import { BestDiscounts } from "./home/best-discounts.tsx";
import { Categories } from "./home/categories.tsx";
import { Contact } from "./home/contact.tsx";
import { Facilities } from "./home/facilities.tsx";
import { Reviews } from "./home/reviews.tsx";
import { SellBanner } from "./home/sell-banner.tsx";
import { Stats } from "./home/stats.tsx";
import { UpcomingEvent } from "./home/upcoming-event.tsx";
import { Welcome } from "./home/welcome.tsx";

export const meta: MetaFunction = () =>
  pageTitle(
    "Used phones and tablets with a second life",
    "Buy a used phone or tablet from its owner, or sell your own: genuine devices, a one-year warranty on parts, easy payment and careful shipping.",
  );

/** The home page, with the specification's ten sections in their order. All content is fixed. */
export default function Home() {
  return (
    <>
      <Welcome />
      <Stats />
      <BestDiscounts />
      <UpcomingEvent />
      <Categories />
      <Benefits />
      <SellBanner />
      <Facilities />
      <Contact />
      <Reviews />
    </>
  );
}
