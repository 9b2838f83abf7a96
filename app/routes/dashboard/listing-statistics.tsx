import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { StatusBadge } from "#app/features/listings/badges.tsx";
import { deviceName } from "#app/features/listings/device-variant.rules.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { maxShownSavers } from "#app/features/saved-listings/saved-listing.rules.ts";
import { numbersSearch, parseNumbersQuery } from "#app/features/statistics/numbers.rules.ts";
import { SellerPeriodView, UnbookedListings } from "#app/features/statistics/seller-period-view.tsx";
import { DashboardTable } from "#app/features/tables/dashboard-table.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { countLabel } from "#app/market.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { tableCursor } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Listing statistics");

export const handle: RouteHandle = { access: "my sellings" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const { days } = parseNumbersQuery(new URL(request.url).searchParams);
  const { listSellerNumbers, listUnbooked, readSellerPeriod, sumUpListings } = await import(
    "#app/features/statistics/seller-numbers.server.ts"
  );
  const [listings, sums, period, unbooked] = await Promise.all([
    listSellerNumbers(context.db, viewer, tableCursor(request)),
    sumUpListings(context.db, viewer),
    readSellerPeriod(context.db, viewer, days),
    listUnbooked(context.db, viewer),
  ]);
  return { listings, sums, days, period, unbooked };
});

export default function MyNumbersPage() {
  const { listings, sums, days, period, unbooked } = useLoaderData<typeof loader>();
  return (
    <DashboardTable
      title="Listing statistics"
      action={
        <Link to="/manage/mysells" className="link py-2">
          Back to My Sellings
        </Link>
      }
      notice={
        sums.listings > 0 && (
          <>
            <dl className="mb-6 grid max-w-3xl grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-4">
              <Stat term="Listings" value={countLabel(sums.listings)} />
              <Stat term="Views" value={countLabel(sums.views)} />
              <Stat term="Sold" value={countLabel(sums.sold)} />
              <Stat term="Sold for" value={priceLabel(sums.soldCents)} />
            </dl>
            <SellerPeriodView days={days} period={period} />
            <UnbookedListings listings={unbooked} />
            <p className="mb-6 max-w-prose text-sm text-pretty text-quiet">
              Views of a period are of whole days. The others count from the day you published a listing. They
              leave out your own visits, bots, and browsers without JavaScript. We use no cookies for them.
              The usual price is what the same model and storage recently sold for: the median.
            </p>
          </>
        )
      }
      columns={[
        { label: "Device", longWords: true, rowHeader: true },
        { label: "Views", numeric: true },
        { label: "Saved", numeric: true },
        { label: "Inquiries", numeric: true },
        { label: "Price", numeric: true },
      ]}
      kept={numbersSearch({ days })}
      table={listings}
      cells={(listing) => [
        <div key="device">
          <Link to={`/phones/${listing.id}`} className="link">
            {deviceName(listing)}
          </Link>
          <p className="text-sm text-quiet">
            {listing.rom} <StatusBadge status={listing.status} />
          </p>
          {listing.ownNumber && <p className="text-sm wrap-anywhere text-quiet">{listing.ownNumber}</p>}
        </div>,
        countLabel(listing.views),
        listing.savers > maxShownSavers ? `${countLabel(maxShownSavers)}+` : countLabel(listing.savers),
        countLabel(listing.asked),
        <div key="price">
          {priceLabel(listing.sellingCents)}
          {listing.usualCents !== null && (
            <p className="text-sm whitespace-nowrap text-quiet">{`Usual price ${priceLabel(listing.usualCents)}`}</p>
          )}
        </div>,
      ]}
      empty={
        <EmptyState
          icon={<PhoneIcon className="size-10" />}
          title="No listings yet"
          text="List something, and you’ll see how often it’s viewed, saved and asked about."
        >
          <Link to="/addphone" className="btn btn-primary">
            Add a phone
          </Link>
        </EmptyState>
      }
    />
  );
}
