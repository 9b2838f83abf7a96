import { countLabel } from "#app/market.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyPage } from "#app/ui/empty-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { modelPath } from "../listings/device-variant.rules.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { PhoneTile, tileGrid } from "../listings/phone-tile.tsx";
import { SellerRating } from "../reviews/seller-rating.tsx";
import { CompareBar } from "./compare-bar.tsx";
import type { Specification } from "./model.rules.ts";
import type { ModelPage } from "./model.server.ts";
import { ModelOffers } from "./model-offers.tsx";
import { ModelSales } from "./model-sales.tsx";

export function ModelView({ page }: { page: ModelPage }) {
  const { model, category, offers, facts, sales, phones, previous, next } = page;
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: category.path, name: category.name },
        ]}
        here={model.name}
      />
      <header className="mt-6 mb-8 sm:mt-8 sm:mb-10">
        <h1
          className={`font-semibold wrap-anywhere ${model.name.length > 60 ? "text-2xl sm:text-3xl" : "text-3xl sm:text-5xl"}`}
        >
          {model.name}
        </h1>
        <p className="mt-3 text-lg text-quiet tabular-nums">{stockLabel(page)}</p>
      </header>
      {offers.rows.length > 0 && <ModelOffers table={offers} />}
      <section aria-labelledby="for-sale">
        <h2 id="for-sale" className="mb-4 text-2xl font-semibold">
          For sale
        </h2>
        {phones.length === 0 ? (
          <NoListings page={page} />
        ) : (
          <ul className={tileGrid}>
            {phones.map((phone, index) => (
              <PhoneTile
                key={phone.id}
                phone={phone}
                heading="h3"
                eager={index < 4}
                compare
                seller={<SellerRating sellerId={phone.sellerId} rating={phone.sellerRating} />}
              />
            ))}
          </ul>
        )}
        {phones.length > 0 && <CompareBar />}
        <CursorPager path={modelPath(model.slug)} previous={previous} next={next} hash="#for-sale" />
      </section>
      <div className="mt-16 grid items-start gap-x-8 gap-y-10 md:grid-cols-2">
        <ModelSales sales={sales} />
        {facts.length > 0 && <Specifications specifications={facts} />}
      </div>
    </div>
  );
}

function stockLabel({ model: { listed, available }, range }: ModelPage): string {
  if (listed === 0) return "None for sale right now";
  if (!range) return listed === 1 ? "1 listed, reserved" : `${countLabel(listed)} listed, all reserved`;
  const reserved = listed > available ? `, ${countLabel(listed - available)} reserved` : "";
  return `${countLabel(available)} for sale from ${priceLabel(range.lowest)}${reserved}`;
}

function NoListings({ page: { model, category, isFirstPage } }: { page: ModelPage }) {
  if (!isFirstPage && model.listed > 0) return <EmptyPage firstPage={modelPath(model.slug)} />;
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title="None for sale right now"
      text="Check back later, or see what else is for sale."
    >
      <Link to={category.path} className="btn btn-primary">
        Browse {category.name}
      </Link>
      <Link to="/addphone" className="btn btn-outline">
        Sell a device
      </Link>
    </EmptyState>
  );
}

function Specifications({ specifications }: { specifications: Specification[] }) {
  return (
    <section aria-labelledby="specifications">
      <h2 id="specifications" className="text-2xl font-semibold">
        Specifications
      </h2>
      <p className="mt-1 text-sm text-quiet">As stated by sellers.</p>
      <dl className="mt-3 border-t border-base-300">
        {specifications.map(({ term, values, hasMore }) => (
          <FactRow key={term} term={term}>
            {values.join(", ") + (hasMore ? " and others" : "")}
          </FactRow>
        ))}
      </dl>
    </section>
  );
}
