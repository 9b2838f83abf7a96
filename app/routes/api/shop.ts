import { z } from "zod";
import { shopSchema } from "#app/features/accounts/account.schema.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { toAmount } from "#app/features/listings/money.rules.ts";
import { pauseDayText, pauseEnd } from "#app/features/listings/sale-change.rules.ts";
import { periods } from "#app/features/statistics/numbers.rules.ts";
import type { SellerCounts } from "#app/features/statistics/seller-period.rules.ts";
import { returnDayChoices } from "#app/market.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { confirmed } from "#app/server/forms/schema-fields.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { dayMs, isoDay } from "#app/time.ts";
import { csvFile } from "../own-csv.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { amount } from "./record-fields.ts";
import { modifiedCountSchema, modifiedResponse, unmodifiedFields } from "./results.ts";

const described = { tag: "Shop", access: "signed in" } as const;

const loadPauses = () => import("#app/features/listings/sale-change.server.ts");
const loadNumbers = () => import("#app/features/statistics/seller-numbers.server.ts");

const number = z.int().min(0);
const returnDaysSchema = z
  .literal([...returnDayChoices], `returnDays must be one of: ${returnDayChoices.join(", ")}`)
  .optional();
const text = z.string().nullable();

const period = z.object({
  days: z
    .enum(periods.map(String))
    .optional()
    .transform((days) => periods.find((each) => String(each) === days) ?? 30)
    .describe(
      `${new Intl.ListFormat("en", { type: "disjunction" }).format(periods.map(String))}; by default 30.`,
    ),
});

const counts = z.object({
  views: number,
  saves: number,
  offers: number,
  bookings: number,
  sold: number,
  soldFor: amount,
  daysToSale: z.number().nullable().describe("On average, from the publication to the receipt."),
});

const sales = z.array(z.object({ name: z.string(), sold: number, soldFor: amount }));

const toCounts = ({ soldCents, ...counted }: SellerCounts) => ({ ...counted, soldFor: toAmount(soldCents) });

const toSales = (groups: { name: string; sold: number; soldCents: number }[]) =>
  groups.map(({ soldCents, ...sold }) => ({ ...sold, soldFor: toAmount(soldCents) }));

const routes = defineApiRoutes({
  "/shop": {
    GET: operation({
      ...described,
      summary: "Show your shop",
      response: z.object({
        shopText: z.string().describe("What your page says about your shop."),
        returnDays: number.describe("In how many days buyers of protected orders can change their mind."),
        inProductFeed: z.boolean().describe("Whether Google Shopping shows your devices."),
        pausedUntil: text.describe("When a pause of all your listings ends."),
      }),
      async handle({ context, viewer }) {
        const { findProfile } = await import("#app/features/profile/profile.server.ts");
        const { findPauseEnd } = await loadPauses();
        const [{ shopText, returnDays, inProductFeed }, pausedUntil] = await Promise.all([
          findProfile(context.db, viewer),
          findPauseEnd(context.db, viewer),
        ]);
        return Response.json({ shopText: shopText ?? "", returnDays, inProductFeed, pausedUntil });
      },
    }),
    PUT: operation({
      ...described,
      summary: "Change the text of your shop, its returns and whether Google shows it",
      description:
        "Without `returnDays` or `inProductFeed`, they stay as they are. Contact details in the text get 409 with `asked`: change it, or send it again with `confirmed`.",
      mutation: "change account",
      body: shopSchema
        .pick({ shopText: true })
        .extend({ returnDays: returnDaysSchema, inProductFeed: z.boolean().optional(), confirmed }),
      example: { shopText: "We test each phone twice." },
      response: modifiedCountSchema,
      errors: { 409: "The text has contact details, which need to be `confirmed`." },
      async handle({ context, viewer, body }) {
        if (isSuspended(viewer))
          return problemDetails(
            403,
            "You can’t change your shop while your account is suspended.",
            unmodifiedFields,
          );
        const { changeShop, noShopText } = await import("#app/features/profile/profile.server.ts");
        const { confirmed, ...changes } = body;
        const outcome = await changeShop(context.db, viewer, changes, confirmed);
        if (outcome === "saved") return modifiedResponse(1);
        if (outcome === "no shop") return problemDetails(403, noShopText, unmodifiedFields);
        const { asked, text } = outcome;
        const errors = [{ pointer: "#/shopText", detail: text }];
        return problemDetails(409, text, { ...unmodifiedFields, asked, errors });
      },
    }),
  },
  "/shop/pause": {
    PUT: operation({
      ...described,
      summary: "Pause all your listings until a day",
      description:
        "What’s booked goes on. Accepted offers can’t be booked until then. What you paused by itself stays paused.",
      mutation: "edit listing",
      body: z.object({ until: z.string(pauseDayText).describe(pauseDayText) }),
      // A day to come; while modules load, the clock of a Worker stands still.
      get example() {
        return { until: isoDay(Math.floor(Date.now() / dayMs) + 30) };
      },
      response: modifiedCountSchema,
      async handle({ context, viewer, body }) {
        const until = pauseEnd(body.until);
        if (!until) return problemDetails(422, pauseDayText, unmodifiedFields);
        await (await loadPauses()).pauseAll(context.db, viewer, until);
        return modifiedResponse(1);
      },
    }),
    DELETE: operation({
      ...described,
      summary: "Put all your listings back on sale",
      description: "Those that a pause of all has reached. Without one, nothing changes.",
      mutation: "edit listing",
      response: modifiedCountSchema,
      async handle({ context, viewer }) {
        await (await loadPauses()).endPause(context.db, viewer);
        return modifiedResponse(1);
      },
    }),
  },
  "/shop/numbers": {
    GET: operation({
      ...described,
      summary: "Show your numbers of a period",
      description: "The period ends now. The views beside it, as those of a listing, cover all the time.",
      query: period,
      response: z.object({
        days: z.int(),
        listings: number,
        views: number,
        now: counts,
        before: counts.describe("Of the period before."),
        models: sales,
        months: z
          .array(counts.extend({ name: z.string() }))
          .describe("Named like 2026-11, only for 365 days. Those in which something happened."),
        unbooked: z
          .array(
            z.object({
              ...{ phoneId: z.string(), name: z.string(), ownNumber: text },
              ...{ views: number, sellingPrice: amount },
            }),
          )
          .describe("What many have looked at and nobody has booked."),
      }),
      async handle({ context: { db }, viewer, query: { days } }) {
        const { listUnbooked, readSellerPeriod, sumUpListings } = await loadNumbers();
        const [sums, { now, before, models, months }, unbooked] = await Promise.all([
          sumUpListings(db, viewer),
          readSellerPeriod(db, viewer, days),
          listUnbooked(db, viewer),
        ]);
        return Response.json({
          days,
          listings: sums.listings,
          views: sums.views,
          now: toCounts(now),
          before: toCounts(before),
          models: toSales(models),
          months: months.map(({ name, ...month }) => ({ name, ...toCounts(month) })),
          unbooked: unbooked.map(({ id, name, ownNumber, views, sellingCents }) => ({
            ...{ phoneId: id, name, ownNumber, views },
            sellingPrice: toAmount(sellingCents),
          })),
        });
      },
    }),
  },
  "/shop/sold": {
    GET: operation({
      ...described,
      summary: "List what you sold in a period",
      description: "By the day that the buyer received it.",
      query: period,
      response: z.array(
        z.object({
          bookingId: z.string(),
          receivedAt: z.string(),
          bookedAt: z.string(),
          ownNumber: text,
          productName: z.string(),
          ram: z.string(),
          rom: z.string(),
          price: amount,
          refund: amount.describe("How much of the price of a protected booking was paid back, or is to be."),
          buyer: z.string().describe("The first name."),
        }),
      ),
      async handle({ context, viewer, query }) {
        const { listSales } = await loadNumbers();
        const sold = await listSales(context.db, viewer, query.days);
        return Response.json(
          sold.map(({ id, model, priceCents, refundCents, listedAt: _, ...sale }) => ({
            ...sale,
            ...{ bookingId: id, productName: model },
            ...{ price: toAmount(priceCents), refund: toAmount(refundCents) },
          })),
        );
      },
    }),
  },
  "/shop/listings": {
    GET: operation({
      ...described,
      summary: "Download your listings as CSV",
      description: "Change the file, and send it to `POST /imports`.",
      response: z.string(),
      responseType: "text/csv",
      errors: { 429: "Too many exports." },
      async handle({ request, context, viewer }) {
        const refusal = await rateLimitRefusal(context, "export data", request);
        if (refusal) {
          const { formErrors = [], retryAfter } = refusal;
          return problemDetails(429, formErrors.join(" "), {
            headers: { "Retry-After": String(retryAfter) },
          });
        }
        const { exportOwnListings } = await import("#app/features/listings/import/listing-file.server.ts");
        return csvFile("my-listings", exportOwnListings(context.db, viewer));
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
