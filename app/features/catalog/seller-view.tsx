import type { SerializeFrom } from "@remix-run/cloudflare";
import { terms } from "#app/terms.ts";
import { isoMonthLabel } from "#app/time.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { ReportLink } from "#app/ui/report-link.tsx";
import { ProtectedBadge, VerifiedBadge } from "../listings/badges.tsx";
import { ReviewList } from "../reviews/review-list.tsx";
import { ReviewSummary } from "../reviews/review-summary.tsx";
import { SellerRating } from "../reviews/seller-rating.tsx";
import { SellerRecordList } from "../reviews/seller-record.tsx";
import { ListingTile, tileGrid } from "./listing-card.tsx";
import type { findSeller, findSellerReviews } from "./seller.server.ts";

type SellerPage = NonNullable<Awaited<ReturnType<typeof findSeller>>>;

export function SellerView({
  seller,
  phones,
  distribution,
  reviews,
  previous,
  next,
  isFirstPage,
}: SerializeFrom<SellerPage>) {
  const path = `/sellers/${seller.id}`;
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: "/products", name: "All Products" },
        ]}
        here={seller.name}
      />
      <header className="mt-6 mb-8 sm:mt-8 sm:mb-10">
        <h1 className="text-3xl font-semibold wrap-anywhere sm:text-5xl">{seller.name}</h1>
        <p className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-1">
          <SellerRating sellerId={seller.id} rating={seller.rating} sales={seller.record.sales} />
          <VerifiedBadge sellerVerified={seller.sellerVerified} />
          <ProtectedBadge returnDays={seller.returnDays} />
          <span className="text-quiet">Member since {isoMonthLabel(seller.since)}</span>
        </p>
        <div className="mt-2 grid gap-2">
          <SellerRecordList record={seller.record} />
          {seller.shopText && (
            <p className="my-3 max-w-prose whitespace-pre-line wrap-anywhere">{seller.shopText}</p>
          )}
          {seller.returnDays ? <p>{terms.returns(seller.returnDays)}</p> : null}
          <p>
            <ReportLink kind="seller" id={seller.id} />
          </p>
        </div>
      </header>
      {phones.length === 0 ? (
        <NoListings path={path} isFirstPage={isFirstPage} />
      ) : (
        <section aria-labelledby="for-sale">
          <h2 id="for-sale" className="mb-4 text-2xl font-semibold">
            For sale
          </h2>
          <ul className={tileGrid}>
            {phones.map((phone, index) => (
              <ListingTile key={phone.id} phone={phone} heading="h3" eager={index < 4} />
            ))}
          </ul>
        </section>
      )}
      <CursorPager path={path} previous={previous} next={next} />
      {reviews.length > 0 && (
        <section aria-labelledby="seller-reviews" className="mt-12 border-t border-base-300 pt-8">
          <h2 id="seller-reviews" className="mb-6 text-2xl font-semibold">
            Reviews
          </h2>
          <ReviewSummary rating={seller.rating} distribution={distribution} shown={reviews.length} />
          <div className="mt-8">
            <ReviewList reviews={reviews} sellerName={seller.name} />
          </div>
          <Link to={`${path}/reviews`} className="btn mt-2 btn-outline">
            All reviews
          </Link>
        </section>
      )}
    </div>
  );
}

function NoListings({ path, isFirstPage }: { path: string; isFirstPage: boolean }) {
  if (!isFirstPage) return <EmptyPage firstPage={path} />;
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title="Nothing for sale right now"
      text="See what other sellers have, or check back soon."
    >
      <Link to="/products" className="btn btn-primary">
        See all products
      </Link>
    </EmptyState>
  );
}

type SellerReviews = NonNullable<Awaited<ReturnType<typeof findSellerReviews>>>;

export function SellerReviewsView({
  seller,
  distribution,
  reviews,
  previous,
  next,
  isFirstPage,
}: SerializeFrom<SellerReviews>) {
  const path = `/sellers/${seller.id}/reviews`;
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: `/sellers/${seller.id}`, name: seller.name },
        ]}
        here="Reviews"
      />
      <h1 className="mt-6 mb-6 text-3xl font-semibold wrap-anywhere sm:mt-8 sm:text-4xl">
        Reviews of {seller.name}
      </h1>
      <ReviewSummary rating={seller.rating} distribution={distribution} shown={reviews.length} />
      <section aria-label="Reviews" className="mt-10">
        {reviews.length > 0 ? (
          <ReviewList reviews={reviews} sellerName={seller.name} />
        ) : isFirstPage ? (
          <p className="max-w-prose text-quiet">
            Buyers review a seller once their device has arrived. You’ll read it here.
          </p>
        ) : (
          <EmptyPage firstPage={path} />
        )}
      </section>
      <CursorPager path={path} previous={previous} next={next} />
    </div>
  );
}
