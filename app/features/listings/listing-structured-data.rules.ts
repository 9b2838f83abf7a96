import { market } from "#app/market.ts";
import { photoUrl } from "../photos/photo.rules.ts";
import { statedFacts } from "./attributes.ts";
import { deviceName, modelPath } from "./device-variant.rules.ts";
import { shownImage } from "./drawing.rules.ts";
import type { ListingDetails, ListingPageData } from "./listing.server.ts";
import { availabilitySchema, type offerTermsSchema, usedConditionSchema } from "./merchant.rules.ts";
import { bargainLabel, decimalPrice, priceLabel } from "./money.rules.ts";
import { statusLabels } from "./status.rules.ts";

/**
 * @param terms of shipping and returns
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 */
export function listingStructuredData(
  { listing, photos, fair, model }: Pick<ListingPageData, "listing" | "photos" | "fair" | "model">,
  category: { path: string; name: string },
  origin: string,
  terms: ReturnType<typeof offerTermsSchema>,
) {
  const url = `${origin}/phones/${listing.id}`;
  const name = deviceName(listing);
  const images = photos.length > 0 ? photos.map(({ id }) => photoUrl(id, "shared")) : [shownImage(listing)];
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Product",
        "@id": `${url}#product`,
        url,
        name,
        image: images.map((image) => new URL(image, origin).href),
        description: listingSummary({ listing, fair }),
        brand: { "@type": "Brand", name: listing.brandName },
        model: listing.model,
        ...(listing.color && { color: listing.color }),
        category: listing.deviceType,
        sku: listing.id,
        itemCondition: usedConditionSchema,
        additionalProperty: statedFacts(listing, ["brandName", "model", "deviceType"]).map(
          ({ term, value }) => ({
            "@type": "PropertyValue",
            name: term,
            value,
          }),
        ),
        offers: {
          "@type": "Offer",
          url,
          price: decimalPrice(listing.sellingCents),
          priceCurrency: market.currency,
          availability: availabilitySchema(listing.status),
          itemCondition: usedConditionSchema,
          ...terms,
          ...(listing.sellerHasAccount && {
            seller: {
              "@type": "Person",
              name: listing.sellerName,
              url: `${origin}/sellers/${listing.sellerId}`,
            },
          }),
        },
      },
      breadcrumbList([
        { name: "Home", item: `${origin}/` },
        { name: category.name, item: origin + category.path },
        ...(model ? [{ name, item: origin + modelPath(model.slug) }] : []),
        { name: model ? listing.rom : name, item: url },
      ]),
    ],
  };
}

export function breadcrumbList(steps: { name: string; item: string }[]) {
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, index) => ({ "@type": "ListItem", position: index + 1, ...step })),
  };
}

export function listingSummary({ listing, fair }: Pick<ListingPageData, "listing" | "fair">): string {
  const bargain = bargainLabel(listing.sellingCents, fair?.median);
  const price = priceLabel(listing.sellingCents);
  const offer = bargain ? `${price}, ${bargain}` : price;
  const status = listing.status === "available" ? "" : `${statusLabels[listing.status]}. `;
  return `${status}Used ${deviceName(listing)} with ${listing.ram} RAM and ${listing.rom} for ${offer}, with a ${market.warranty.short} on parts.`;
}

/** The image for link previews: the first photo, or the image link if it is a PNG or JPEG over HTTPS; else null. */
export function linkPreviewImage({
  cover,
  ...listing
}: Pick<ListingDetails, "image" | "cover" | "deviceType">): string | null {
  if (cover) return photoUrl(cover, "shared");
  const image = shownImage(listing);
  return /^https:[^?#]+\.(png|jpe?g)(\?|$)/i.test(image) ? image : null;
}
