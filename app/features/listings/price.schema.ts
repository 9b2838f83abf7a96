import { z } from "zod";
import { countLabel, market } from "#app/market.ts";
import { parsePrice, unreadPriceText } from "#app/server/forms/parse-price.ts";
import { minPriceCents, priceLabel, toAmount } from "./money.rules.ts";

const maxAmount = 100_000;

/** Parses a price, as text or a number with up to two decimals, into whole cents. */
export const priceSchema = (label: string, lowestCents = minPriceCents) =>
  z
    .union([z.string(), z.number()], {
      // Of a form, an empty field is an empty text.
      error: ({ input }) =>
        input === undefined || input === "" ? `${label} is required` : unreadPriceText(label),
    })
    .transform((value) => String(value).trim())
    .pipe(
      z
        .string()
        .min(1, { error: `${label} is required`, abort: true })
        .refine((text) => parsePrice(text) !== null, {
          error: ({ input }) => unreadPriceText(label, String(input)),
          abort: true,
        })
        .transform((text) => parsePrice(text) ?? 0)
        .refine((cents) => cents >= lowestCents && cents <= maxAmount * 100, {
          error: `${label} must be between ${priceLabel(lowestCents)} and ${market.price(countLabel(maxAmount))}`,
        }),
    )
    .meta({
      description: `In ${market.currencyName}, as a number or as text, with up to two decimals. In a text, 349,50 is 349.50, 1${market.groupSign}250 is 1250, and the currency may stand beside it: ${market.price("349")}.`,
      minimum: toAmount(lowestCents),
      maximum: maxAmount,
    });
