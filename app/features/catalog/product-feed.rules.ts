import { market } from "#app/market.ts";
import { type AttributeName, statedFacts } from "../listings/attributes.ts";
import { deviceName } from "../listings/device-variant.rules.ts";
import {
  handlingDays,
  isInStock,
  isShipped,
  type MerchantTerms,
  merchantTermsLabels,
} from "../listings/merchant.rules.ts";
import { decimalPrice } from "../listings/money.rules.ts";
import { photoUrl } from "../photos/photo.rules.ts";
import type { FeedListing } from "./product-feed.server.ts";

/** Google shows no more of each. */
const limits = { title: 150, description: 5000, brand: 70, additionalImages: 10 };

/**
 * The attributes of a listing in Google's product data, in order.
 *
 * @see https://support.google.com/merchants/answer/7052112
 */
export function productAttributes(
  listing: FeedListing,
  terms: MerchantTerms,
  origin: string,
): [name: string, value: string][] {
  const [first, ...others] = listing.photos.map((id) => new URL(photoUrl(id, "shared"), origin).href);
  const labels = merchantTermsLabels(terms);
  const shown: [string, string | null | undefined][] = [
    ["id", listing.id],
    ["title", cut(titleOf(listing), limits.title)],
    ["description", cut(descriptionOf(listing), limits.description)],
    ["link", `${origin}/phones/${listing.id}`],
    ["image_link", first],
    ...others
      .slice(0, limits.additionalImages)
      .map((url): [string, string] => ["additional_image_link", url]),
    ["availability", isInStock(listing.status) ? "in_stock" : "out_of_stock"],
    ["price", `${decimalPrice(listing.sellingCents)} ${market.currency}`],
    ["condition", "used"],
    ["brand", cut(listing.brandName, limits.brand)],
    // Listings state neither a GTIN nor the maker's number; that there is none would be wrong.
    ["google_product_category", listing.deviceType === "Tablet" ? tablets : phones],
    ["color", listing.color],
    ["external_seller_id", listing.sellerId],
    ["shipping_label", labels.shipping],
    ["ships_from_country", isShipped(terms) ? market.country : null],
    ["min_handling_time", isShipped(terms) ? String(handlingDays.min) : null],
    ["max_handling_time", isShipped(terms) ? String(handlingDays.max) : null],
    ["return_policy_label", labels.returns],
  ];
  return shown.filter((attribute): attribute is [string, string] => Boolean(attribute[1]));
}

/** Of Google's product taxonomy: "Mobile Phones", "Tablet Computers". */
const [phones, tablets] = ["267", "4745"];

function titleOf(listing: FeedListing): string {
  const { rom, color } = listing;
  return [deviceName(listing), rom, color, "used"].filter(Boolean).join(", ");
}

function descriptionOf(listing: FeedListing): string {
  const stated = statedFacts(listing, notDescribed).map(({ term, value }) => `${term}: ${value}.`);
  return [`Used ${deviceName(listing)} with ${listing.ram} RAM and ${listing.rom}.`, ...stated].join(" ");
}

/** Said otherwise, or nothing for other sites. */
const notDescribed: AttributeName[] = [
  "brandName",
  "model",
  "ram",
  "rom",
  "deviceType",
  "city",
  "offersWelcome",
];

/** At the end of a word. */
function cut(text: string, max: number): string {
  if ([...text].length <= max) return text;
  const start = [...text].slice(0, max).join("");
  return start.replace(/\s+\S*$/u, "") || start;
}
