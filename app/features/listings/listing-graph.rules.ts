import { photoUrl } from "../photos/photo.rules.ts";
import { ownCategory } from "./category.rules.ts";
import { modelPath } from "./device-variant.rules.ts";
import type { ListingPage, ShownListing } from "./listing.server.ts";
import { priceLabel, savingPercent } from "./money.rules.ts";

/**
 * A listing in the words of schema.org: the product with its offer, and the way to it.
 *
 * @param origin of this site, like "https://ringback.example"
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 */
export function listingGraph(
  { listing, photos, model }: Pick<ListingPage, "listing" | "photos" | "model">,
  origin: string,
) {
  const url = `${origin}/phones/${listing.id}`;
  const name = nameOf(listing);
  const category = ownCategory(listing);
  const facts = {
    RAM: listing.ram,
    Storage: listing.rom,
    Camera: listing.camera,
    Processor: listing.processor,
    Battery: listing.battery,
    "Operating system": listing.os,
    ...(listing.condition && { Condition: listing.condition }),
    ...(listing.batteryHealth && { "Battery health": `${listing.batteryHealth}%` }),
  };
  const pictures = photos.length > 0 ? photos.map(({ id }) => photoUrl(id, "shared")) : [listing.image];
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Product",
        "@id": `${url}#product`,
        url,
        name,
        image: pictures.map((picture) => new URL(picture, origin).href),
        description: listingSummary(listing),
        brand: { "@type": "Brand", name: listing.brandName },
        model: listing.model,
        category: listing.deviceType,
        sku: listing.id,
        itemCondition: "https://schema.org/UsedCondition",
        additionalProperty: Object.entries(facts).map(([fact, value]) => ({
          "@type": "PropertyValue",
          name: fact,
          value,
        })),
        offers: {
          "@type": "Offer",
          url,
          price: (listing.sellingCents / 100).toFixed(2),
          priceCurrency: "USD",
          availability: `https://schema.org/${listing.status === "available" ? "InStock" : "OutOfStock"}`,
          itemCondition: "https://schema.org/UsedCondition",
          ...(listing.sellerIsHere && {
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

/** Breadcrumbs in the words of schema.org, from the start to the page itself. */
export function breadcrumbList(steps: { name: string; item: string }[]) {
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, index) => ({ "@type": "ListItem", position: index + 1, ...step })),
  };
}

/** A listing in a sentence or two, for search results and shared links. */
export function listingSummary(listing: ShownListing): string {
  const saving = savingPercent(listing);
  const price = priceLabel(listing.sellingCents);
  const cost = saving > 0 ? `${price}, ${saving}% below the market price` : price;
  const stood = { available: "", reserved: "Reserved. ", sold: "Sold. " }[listing.status];
  return `${stood}Used ${nameOf(listing)} with ${listing.ram} RAM and ${listing.rom} for ${cost}, with a year of warranty on parts.`;
}

/** The listing's picture where those who show a shared link can show it too: its first photo, or a PNG or JPEG of the web. */
export function sharedPicture({ image, cover }: Pick<ShownListing, "image" | "cover">): string | null {
  if (cover) return photoUrl(cover, "shared");
  return /^https:[^?#]+\.(png|jpe?g)(\?|$)/i.test(image) ? image : null;
}

/** What it is called in its title. */
export function nameOf({ brandName, model }: Pick<ShownListing, "brandName" | "model">): string {
  return `${brandName} ${model}`;
}
