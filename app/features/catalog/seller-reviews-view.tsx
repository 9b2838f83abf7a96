import type { SerializeFrom } from "@remix-run/cloudflare";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyPage } from "#app/ui/empty-page.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { ReviewList } from "../reviews/review-list.tsx";
import { ReviewSummary } from "../reviews/review-summary.tsx";
import type { findSellerReviews } from "./seller.server.ts";

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
      <ReviewSummary rating={seller.rating} distribution={distribution} />
      <section aria-label="Reviews" className="mt-10">
        {reviews.length > 0 ? (
          <ReviewList reviews={reviews} sellerName={seller.name} />
        ) : isFirstPage ? (
          <p className="max-w-prose text-quiet">
            Buyers can review a seller once they have received a device. Reviews appear here.
          </p>
        ) : (
          <EmptyPage firstPage={path} />
        )}
      </section>
      <CursorPager path={path} previous={previous} next={next} />
    </div>
  );
}
