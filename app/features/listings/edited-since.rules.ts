import { attributeNames, inWords, recordOf } from "./attributes.ts";
import type { OwnListing } from "./listing-edit.server.ts";
import { priceLabel, toAmount } from "./money.rules.ts";

const shownNames = [
  ...attributeNames,
  "marketPrice",
  "sellingPrice",
  "sellingReason",
  "postDate",
  "image",
  "ownNumber",
] as const;

type ShownName = (typeof shownNames)[number];

/** What the edit form shows of a listing. It sends this back as `base`, so that nothing newer is overwritten unseen. */
export function shownTexts({
  marketCents,
  sellingCents,
  ...facts
}: Omit<OwnListing, "orderId">): Record<ShownName, string> {
  const shown = { ...facts, marketPrice: toAmount(marketCents), sellingPrice: toAmount(sellingCents) };
  return recordOf(shownNames, (name) => String(shown[name] ?? ""));
}

/**
 * Says beside each field what has changed since the form was opened, unless the form has it, too.
 *
 * @param base what the form was opened with, as JSON
 * @param confirmed what the seller was told before
 */
export function editedSince(
  listing: OwnListing | null,
  base: unknown,
  typed: Record<string, unknown>,
  confirmed: readonly string[],
) {
  if (!listing) return { fieldErrors: {}, asked: [] };
  const opened = parseBase(base);
  const now = shownTexts(listing);
  const fields = shownNames.filter((name) => {
    const before = opened[name];
    const isChanged = typeof before === "string" && before !== now[name];
    return (
      isChanged && String(typed[name] ?? "") !== now[name] && !confirmed.includes(aboutOf(name, now[name]))
    );
  });
  return {
    fieldErrors: Object.fromEntries(
      fields.map((name) => [
        name,
        [
          `Changed to ${labelOf(name, listing, now[name])} since you opened this. Submit again to keep yours.`,
        ],
      ]),
    ) as Record<string, string[]>,
    asked: fields.map((name) => aboutOf(name, now[name])),
  };
}

const aboutOf = (name: string, text: string) => `${name} is ${text}`.slice(0, 200);

function labelOf(name: ShownName, { sellingCents, marketCents }: OwnListing, text: string): string {
  if (name === "sellingPrice") return priceLabel(sellingCents);
  if (name === "marketPrice") return priceLabel(marketCents);
  return text ? `“${inWords(name, text)}”` : "nothing";
}

function parseBase(base: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(String(base));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
