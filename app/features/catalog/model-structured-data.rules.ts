import { countLabel, market } from "#app/market.ts";
import { modelPath } from "../listings/device-variant.rules.ts";
import { shownImage } from "../listings/drawing.rules.ts";
import { breadcrumbList } from "../listings/listing-structured-data.rules.ts";
import { decimalPrice, priceLabel } from "../listings/money.rules.ts";
import { photoUrl } from "../photos/photo.rules.ts";
import type { ModelPage } from "./model.server.ts";

/** @see https://developers.google.com/search/docs/appearance/structured-data/product-snippet */
export function modelStructuredData(page: ModelPage, origin: string) {
  const { model, category, range, facts, phones } = page;
  const url = origin + modelPath(model.slug);
  const images = phones
    .slice(0, 1)
    .map((phone) => (phone.cover ? photoUrl(phone.cover, "shared") : shownImage(phone)));
  const shared = facts.filter(({ values }) => values.length === 1);
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Product",
        "@id": `${url}#product`,
        url,
        name: model.name,
        ...(images.length > 0 && { image: images.map((image) => new URL(image, origin).href) }),
        description: modelSummary(page),
        brand: { "@type": "Brand", name: model.brand },
        model: model.model,
        category: category.name,
        additionalProperty: shared.map(({ term, values: [value] }) => ({
          "@type": "PropertyValue",
          name: term,
          value,
        })),
        ...(range && {
          offers: {
            "@type": "AggregateOffer",
            url,
            lowPrice: decimalPrice(range.lowest),
            highPrice: decimalPrice(range.highest),
            offerCount: model.available,
            priceCurrency: market.currency,
            availability: "https://schema.org/InStock",
            itemCondition: "https://schema.org/UsedCondition",
          },
        }),
      },
      breadcrumbList([
        { name: "Home", item: `${origin}/` },
        { name: category.name, item: origin + category.path },
        { name: model.name, item: url },
      ]),
    ],
  };
}

export function modelSummary({ model, range, sales }: Pick<ModelPage, "model" | "range" | "sales">): string {
  const offered = range
    ? `${countLabel(model.available)} used ${model.name} for sale, from ${priceLabel(range.lowest)}.`
    : `No used ${model.name} is for sale right now.`;
  return sales.prices ? `${offered} Median sale price: ${priceLabel(sales.prices.median)}.` : offered;
}
