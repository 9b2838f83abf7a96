import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { numberAndNameKey, parseCursor } from "#app/db/cursor.ts";
import {
  ModelPricesView,
  PricesView,
  pricesStructuredData,
  pricesSummary,
} from "#app/features/catalog/model-prices-view.tsx";
import { modelPricesPath } from "#app/features/listings/device-variant.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { cutLine } from "#app/server/forms/sanitize-text.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { StructuredData } from "#app/server/http/structured-data.tsx";
import { forwardPage } from "./canonical-pages.rules.ts";

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

/** Of `/prices`, or of a model. */
export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (!data) return pageTitle(errorTitle(error) ?? "Prices");
  return data.page
    ? pageTitle(`Used ${data.page.model.name} prices`, pricesSummary(data.page))
    : pageTitle("What’s my phone worth?", "See what buyers really paid for used phones and tablets.");
};

const cursorOf = (search: URLSearchParams) => parseCursor(search, numberAndNameKey);
const wordsOf = (search: URLSearchParams) => cutLine(search.get("q") ?? "", 100);

export const handle: RouteHandle = {
  access: "anyone",
  cached: {
    search: (search) => {
      const words = wordsOf(search);
      const shown = new URLSearchParams({ ...(words && { q: words }), ...cursorOf(search) });
      return shown.size > 0 ? `?${shown}` : "";
    },
  },
  // Neither a search nor a model without prices yet is indexed.
  canonical: ({ params: { slug }, search, data }) => {
    if (slug === undefined)
      return wordsOf(search) ? null : { address: `/prices${forwardPage(cursorOf(search))}`, kind: "website" };
    const isPriced = (data as Data | undefined)?.page?.isPriced;
    return isPriced ? { address: modelPricesPath(slug), kind: "website" } : null;
  },
};

export const loader = withOutagePage(async ({ request, params: { slug }, context }: LoaderFunctionArgs) => {
  // Public.
  const { findModelPrices, findPricedModels, listPricedModels } = await import(
    "#app/features/catalog/model-prices.server.ts"
  );
  const origin = publicOrigin(context, request);
  if (slug === undefined) {
    const { searchParams } = new URL(request.url);
    const [words, cursor] = [wordsOf(searchParams), cursorOf(searchParams)];
    const found = await (words
      ? findPricedModels(context.db, words, cursor)
      : listPricedModels(context.db, cursor));
    const [only, ...others] = found.models;
    const isOnly = only && others.length === 0 && !found.isAll && !cursor;
    if (isOnly) throw redirect(modelPricesPath(only.slug));
    return { origin, page: null, words, ...found };
  }
  const page = await findModelPrices(context.db, slug);
  if (!page) {
    const { findRespelledModel } = await import("#app/features/catalog/model.server.ts");
    const respelled = await findRespelledModel(context.db, slug);
    throw respelled ? redirect(modelPricesPath(respelled), 301) : notFound();
  }
  if (page.model.slug !== slug) throw redirect(modelPricesPath(page.model.slug), 301);
  return { origin, page };
});

export default function Prices() {
  const data = useLoaderData<typeof loader>();
  if (!data.page) return <PricesView {...data} />;
  return (
    <>
      <ModelPricesView page={data.page} />
      <StructuredData graph={pricesStructuredData(data.page, data.origin)} />
    </>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
