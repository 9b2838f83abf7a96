import { expect, test } from "vitest";
import {
  changedPrices,
  checkPrice,
  type PriceStep,
  parsePriceStep,
  priceDoubtAbout,
  steppedPrice,
} from "#app/features/listings/price-change.rules.ts";

const step = (direction: PriceStep["direction"], by: PriceStep["by"], endsIn9 = false) => ({
  direction,
  by,
  endsIn9,
});

test.each([
  [34_900, step("lower", { percent: 10 }), 31_410],
  [34_900, step("raise", { percent: 2.5 }), 35_773],
  [34_950, step("lower", { cents: 1_050 }), 33_900],
  // Nothing is left.
  [500, step("lower", { cents: 2_000 }), 0],
  [34_900, step("lower", { percent: 10 }, true), 31_900],
  [31_500, step("raise", { percent: 10 }, true), 34_900],
  // The nearest would be higher, or lower.
  [34_800, step("lower", { percent: 1 }, true), 33_900],
  [34_100, step("raise", { percent: 1 }, true), 34_900],
  [400, step("lower", { percent: 10 }, true), 400],
  [34_100, step("raise", { percent: 0 }, true), 34_100],
])("%i with %o is %i", (cents, by, expected) => {
  expect(steppedPrice(cents, by)).toBe(expected);
});

const listing = { id: "1", sellingCents: 30_000, marketCents: 70_000, usualCents: 30_000, refusal: null };

test.each([
  ["$299", 30_000, {}, [29_900, null]],
  ["0", 30_000, {}, [null, "Price must be between $1 and $100,000"]],
  ["", 30_000, {}, [null, "Price is required"]],
  ["299", 31_000, {}, [29_900, "The price is $300 now. Save again to change it."]],
  // Another tab has made it that already.
  ["300", 31_000, {}, [30_000, null]],
  ["299", 30_000, { refusal: "reserved" as const }, [29_900, "It’s booked, and the order keeps its price."]],
])("a typed price of %s, shown as %i", (typed, shownCents, more, expected) => {
  const { cents, error } = checkPrice({ ...listing, ...more }, { typed, shownCents });
  expect([cents, error]).toEqual(expected);
});

test("an improbable price is asked about once", () => {
  const prices = { typed: "2000", shownCents: 30_000 };
  const { doubt } = checkPrice(listing, prices);
  expect(doubt?.question).toBe("That’s 7 times the usual price. Is that right?");
  expect(checkPrice(listing, prices, [doubt?.about ?? ""]).doubt).toBeNull();
});

test.each([
  [6_600, null],
  [5_900, "A new one is $699. Is that right?"],
  [60_000, "That’s 10 times what it was. Is that right?"],
  [600, "It was $60. Is that right?"],
])("a low price of 6,000, which was confirmed, that becomes %i", (cents, question) => {
  const cheap = { ...listing, marketCents: 69_900, sellingCents: 6_000, usualCents: null };
  expect(priceDoubtAbout(cheap, cents, [])?.question ?? null).toBe(question);
});

test.each([
  [29_900, null],
  [8_100, null],
  [6_000, "It was $300. Is that right?"],
  [149_900, null],
  [150_000, "That’s 5 times what it was. Is that right?"],
])("a price of 30,000 that becomes %i", (cents, question) => {
  const doubt = priceDoubtAbout({ ...listing, marketCents: 80_000, usualCents: null }, cents, []);
  expect(doubt?.question ?? null).toBe(question);
});

test.each([
  [7_100, null],
  [7_000, "A new one is $700. Is that right?"],
])("a price of %i where no usual price is known", (cents, question) => {
  const priced = { ...listing, sellingCents: 10_000, usualCents: null };
  expect(priceDoubtAbout(priced, cents, [])?.question ?? null).toBe(question);
});

test("a mistyped price is corrected without a question, unless the new one is too low", () => {
  const mistyped = { ...listing, sellingCents: 3_000_000, usualCents: null };
  expect(priceDoubtAbout(mistyped, 30_000, [])).toBeNull();
  expect(priceDoubtAbout(mistyped, 3_000, [])?.question).toBe("A new one is $700. Is that right?");
});

test("a price that stays is not asked about", () => {
  expect(priceDoubtAbout({ ...listing, usualCents: 1_000 }, 30_000, [])).toBeNull();
});

test("a form sends the prices that were changed", () => {
  const form = new FormData();
  for (const [id, typed, shown] of [
    ["a", "300", "30000"],
    ["b", "$1,250.50 ", "30000"],
    ["c", "cheap", "30000"],
  ] as const) {
    form.set(`price-${id}`, typed);
    form.set(`shown-${id}`, shown);
  }
  expect([...changedPrices(form)]).toEqual([
    ["b", { typed: "$1,250.50", shownCents: 30_000 }],
    ["c", { typed: "cheap", shownCents: 30_000 }],
  ]);
});

test.each([
  ["direction=raise&by=7,5&unit=percent", { direction: "raise", by: { percent: 7.5 }, endsIn9: false }],
  ["by=10%25&nine=on", { direction: "lower", by: { percent: 10 }, endsIn9: true }],
  ["by=$10&unit=amount", { direction: "lower", by: { cents: 1000 }, endsIn9: false }],
  ["by=200", { error: "This must be a percentage, like 5 or 7.5" }],
  ["", null],
])("the step %s", (search, expected) => {
  expect(parsePriceStep(new URLSearchParams(search))).toEqual(expected);
});
