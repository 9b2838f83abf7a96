import { brand } from "#app/brand.ts";
import { countLabel, market } from "#app/market.ts";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { modelPath, modelPricesPath } from "../listings/device-variant.rules.ts";
import { type FairPrice, maxComparedSales } from "../listings/fair-price.rules.ts";
import { breadcrumbList } from "../listings/listing-structured-data.rules.ts";
import { decimalPrice, priceLabel, priceRangeLabel } from "../listings/money.rules.ts";
import type { ModelPrices, PricedModels } from "./model-prices.server.ts";
import { SalesByMonth, tooFewSales } from "./model-view.tsx";

export function ModelPricesView({ page }: { page: ModelPrices }) {
  const { model, sales, storages } = page;
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: "/prices", name: "Prices" },
          { to: modelPath(model.slug), name: model.name },
        ]}
        here="Prices"
      />
      <header className="mt-6 mb-8 max-w-prose sm:mt-8">
        <h1
          className={`font-semibold text-balance wrap-anywhere ${model.name.length > 40 ? "text-2xl sm:text-3xl" : "text-3xl sm:text-4xl"}`}
        >
          What a used {model.name} is worth
        </h1>
        {sales.prices ? (
          <p className="mt-3 text-lg tabular-nums">
            <span className="font-semibold">{priceLabel(sales.prices.median)}</span>{" "}
            <span className="text-quiet">
              is the usual price
              {storages.every(({ prices }) => prices) ? "" : " of the storages with enough sales"}.{" "}
              {paidLabel(sales.prices)}
            </span>
          </p>
        ) : (
          <p className="mt-3 text-lg text-quiet">
            {tooFewSales} to say. We wait for sales of three sellers to three buyers, so that nobody sets a
            price alone.
          </p>
        )}
      </header>
      <section aria-labelledby="by-storage">
        <h2 id="by-storage" className="mb-4 text-2xl font-semibold">
          By storage and condition
        </h2>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {storages.map((storage) => (
            <StorageCard key={storage.storage} model={model} {...storage} />
          ))}
        </ul>
        <p className="mt-4 max-w-prose text-sm text-pretty text-quiet">
          What buyers paid, not what sellers ask: the usual price is the one in the middle. Each storage and
          each condition has its own newest sales, up to {countLabel(maxComparedSales)}, so they don’t add up.
          Prices far off and repeated sales between the same two people don’t count.
        </p>
      </section>
      {sales.prices && (
        <section aria-labelledby="trend" className="mt-12">
          <h2 id="trend" className="mb-4 text-2xl font-semibold">
            Month by month
          </h2>
          <SalesByMonth months={sales.months} />
        </section>
      )}
      <p className="mt-12">
        <Link to={modelPath(model.slug)} className="btn btn-outline whitespace-normal">
          {model.listed > 0 ? `See ${countLabel(model.listed)} for sale` : `More about the ${model.name}`}
        </Link>
      </p>
    </div>
  );
}

/** Of a storage or a condition. */
const newestLabel = (prices: FairPrice) =>
  `${countLabel(prices.count)} newest sales, ${priceRangeLabel(prices)}`;

const paidLabel = (prices: FairPrice) => `${countLabel(prices.count)} sold for ${priceRangeLabel(prices)}.`;

function StorageCard({
  model,
  storage,
  prices,
  conditions,
}: ModelPrices["storages"][number] & { model: ModelPrices["model"] }) {
  return (
    <li className="flex flex-col rounded-box border border-base-300 p-4 tabular-nums sm:p-5">
      <h3 className="font-semibold wrap-anywhere">{storage}</h3>
      {prices ? (
        <>
          <p className="mt-1 font-display text-3xl font-semibold">{priceLabel(prices.median)}</p>
          <p className="mt-1 text-sm text-quiet">{newestLabel(prices)}</p>
        </>
      ) : (
        <p className="mt-1 text-quiet">{tooFewSales}</p>
      )}
      {conditions.length > 0 && prices && (
        <dl className="mt-3 border-t border-base-300 text-sm">
          {conditions.map(({ condition, prices: some }) => (
            <div
              key={condition ?? ""}
              className="flex items-baseline justify-between gap-4 border-b border-base-300 py-2"
            >
              <dt>{condition ?? "Condition not stated"}</dt>
              <dd className={some ? "text-right" : "text-right text-quiet"}>
                {some ? (
                  <>
                    <span className="font-semibold">{priceLabel(some.median)}</span>
                    <span className="block text-quiet">{newestLabel(some)}</span>
                  </>
                ) : (
                  tooFewSales
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="mt-auto pt-4">
        <Link
          to={sellPath(model, storage)}
          rel="nofollow"
          className="btn btn-primary btn-sm"
          aria-label={`Sell yours: ${model.name}, ${storage}`}
        >
          Sell yours
        </Link>
      </p>
    </li>
  );
}

/** The form of a new listing, with what is known of the device filled in. */
function sellPath({ brand, model }: ModelPrices["model"], storage: string): string {
  return `/addphone?${new URLSearchParams({ brandName: brand, model, rom: storage })}`;
}

/** @param words what was searched for */
export function PricesView({ words, isAll, models, previous, next }: PricedModels & { words: string }) {
  return (
    <div className="page-width py-8 sm:py-12">
      <h1 className="text-3xl font-semibold text-balance sm:text-5xl">What’s my phone worth?</h1>
      <p className="mt-3 max-w-prose text-lg text-pretty text-quiet">
        See what buyers really paid here, by storage and condition.
      </p>
      <form method="get" action="/prices" className="mt-6 flex max-w-xl flex-wrap items-end gap-3">
        <div className="min-w-0 grow basis-60">
          <label htmlFor="device" className="mb-1 block font-medium">
            Your device
          </label>
          <input
            key={words}
            id="device"
            name="q"
            defaultValue={words}
            maxLength={100}
            placeholder="iPhone 13"
            className="input w-full"
          />
        </div>
        <button type="submit" className="btn btn-primary">
          Find prices
        </button>
      </form>
      <section aria-labelledby="models" className="mt-10">
        <h2 id="models" className="mb-4 text-2xl font-semibold">
          {isAll ? "Sold most often" : `Models for “${words}”`}
        </h2>
        {models.length > 0 ? (
          <ul className="grid gap-x-8 sm:grid-cols-2">
            {models.map(({ slug, name, range }) => (
              <li key={slug} className="border-b border-base-300">
                <Link
                  to={modelPricesPath(slug)}
                  className="flex min-h-12 items-center justify-between gap-4 py-3 hover:text-primary"
                >
                  <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
                  {range && (
                    <span className="text-right whitespace-nowrap text-quiet tabular-nums">
                      {priceRangeLabel(range)}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-quiet">
            {words && !isAll
              ? "We don’t know this model. Check the spelling, or leave out color and storage."
              : "Too few sales yet. Prices appear here as devices are sold."}
          </p>
        )}
        <CursorPager
          path={`/prices${words && `?${new URLSearchParams({ q: words })}`}`}
          previous={previous}
          next={next}
        />
      </section>
    </div>
  );
}

/** @see https://developers.google.com/search/docs/appearance/structured-data/dataset */
export function pricesStructuredData(page: ModelPrices, origin: string) {
  const { model, sales, storages } = page;
  const url = origin + modelPricesPath(model.slug);
  const medians = storages.flatMap(({ storage, prices }) =>
    prices
      ? [
          {
            "@type": "PropertyValue",
            name: `Median price paid, ${storage}`,
            value: decimalPrice(prices.median),
            minValue: decimalPrice(prices.lowest),
            maxValue: decimalPrice(prices.highest),
            unitText: market.currency,
          },
        ]
      : [],
  );
  const [first, last] = [sales.months[0]?.month, sales.months.at(-1)?.month];
  return {
    "@context": "https://schema.org",
    "@graph": [
      ...(sales.prices
        ? [
            {
              "@type": "Dataset",
              "@id": `${url}#prices`,
              url,
              name: `Prices paid for a used ${model.name}`,
              description: pricesSummary(page),
              about: { "@type": "Product", name: model.name, brand: { "@type": "Brand", name: model.brand } },
              creator: { "@type": "Organization", name: brand.company, url: origin },
              isAccessibleForFree: true,
              variableMeasured: medians,
              ...(first && last && { temporalCoverage: `${first}/${last}` }),
            },
          ]
        : []),
      breadcrumbList([
        { name: "Home", item: `${origin}/` },
        { name: "Prices", item: `${origin}/prices` },
        { name: model.name, item: origin + modelPath(model.slug) },
        { name: "Prices", item: url },
      ]),
    ],
  };
}

export function pricesSummary({ model, sales }: Pick<ModelPrices, "model" | "sales">): string {
  const { prices } = sales;
  return prices
    ? `What buyers paid for a used ${model.name}: ${priceLabel(prices.median)} in the middle of ${countLabel(prices.count)} sales, by storage, condition and month.`
    : `What buyers pay for a used ${model.name}, by storage and condition. Too few sales yet for a usual price.`;
}
