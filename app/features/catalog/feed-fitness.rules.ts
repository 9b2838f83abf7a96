import { facts, type Stated } from "../listings/attributes.ts";
import { privateDetailsIn } from "../listings/private-details.rules.ts";

/** Whether nothing in the feed leads elsewhere: what sellers type into a field can be contact details or another site's address. */
export function isFitForFeed(listing: Stated): boolean {
  const texts = facts(listing, ["city"]).map(({ value }) => value);
  return !texts.some((text) => privateDetailsIn(text).length > 0 || webAddress.test(text));
}

const webAddress =
  /\bhttps?:\/\/|\bwww\.|\b[a-z\d-]*[a-z][a-z\d-]*\.(?:com|net|org|info|biz|shop|store|online|site|website|xyz|top|app|link|click|io|co|me|de|uk|eu|us|ru|cn|gg|ly)\b/i;
