import { expect, test } from "vitest";
import { offerText } from "#app/features/orders/offer.rules.ts";
import { dateTimeLabel } from "#app/time.ts";
import { labelTimes } from "#app/ui/date-label.ts";

const answered = (other: string) => {
  const offer: Parameters<typeof offerText>[0] = {
    ...{ state: "pending", side: "buyer", role: "buyer", amountCents: 20_000, priceCents: 30_000 },
    ...{ other, until: new Date("2026-12-02T09:40:00Z"), isBarred: false, wait: null },
    ...{ answer: null, bookedBy: "nobody", bookedCents: null },
  };
  return labelTimes(
    offerText(offer, (time) => time),
    dateTimeLabel,
  );
};

const rest = "can answer until Dec 2, 2026, 9:40 AM UTC.";

test.each(["2026-99-99T1Z", "2026-99-99T99:99:99.999Z", "2026-13-01T00:00:00.000Z"])(
  "a sentence has its times, whatever looks like one in the name %s",
  (name) => expect(answered(name)).toBe(`You offered $200. ${name} ${rest}`),
);

test("a name that is a time does no harm", () => {
  expect(answered("2026-01-05T10:00:00.000Z")).toMatch(rest);
});
