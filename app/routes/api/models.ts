import { z } from "zod";
import { inWords } from "#app/features/listings/attributes.ts";
import type { FairPrice } from "#app/features/listings/fair-price.rules.ts";
import { unknownModelText } from "#app/features/listings/model-facts.rules.ts";
import { toAmount } from "#app/features/listings/money.rules.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { amount, recordNames } from "./record-fields.ts";

const prices = z
  .object({ count: z.int().min(1), median: amount, lowest: amount, highest: amount })
  .describe("What buyers paid. Null if there are too few sales.")
  .nullable();

const modelPrices = z
  .object({
    slug: z.string(),
    brandName: z.string(),
    model: z.string(),
    prices,
    storages: z.array(
      z.object({
        rom: z.string(),
        prices,
        conditions: z.array(
          z.object({ condition: z.string().nullable().describe("Null if not stated."), prices }),
        ),
      }),
    ),
    months: z
      .array(z.object({ month: z.string().describe("Like 2026-11."), prices }))
      .describe(
        "The last twelve since the first sale, oldest first; without prices those with too few sales.",
      ),
  })
  .register(recordNames, { id: "ModelPrices" });

const texts = z.array(z.string());

const modelFacts = z
  .object({
    brandName: z.string(),
    model: z.string(),
    ...{
      os: z.string(),
      deviceType: z.string(),
      processor: z.string(),
      camera: z.string(),
      battery: z.string(),
    },
    ...{ ram: texts, rom: texts, colors: texts.describe("Of those that are for sale.") },
    marketPrices: z
      .record(z.string(), z.number())
      .describe("What a new one costs, as the latest seller said, by storage."),
  })
  .register(recordNames, { id: "ModelFacts" });

const toPrices = (some: FairPrice | null): z.infer<typeof prices> =>
  some && {
    count: some.count,
    median: toAmount(some.median),
    lowest: toAmount(some.lowest),
    highest: toAmount(some.highest),
  };

const routes = defineApiRoutes({
  "/models/:slug/prices": {
    GET: operation({
      tag: "Listings",
      summary: "What a model sells for",
      description:
        "The median and range of what buyers paid, by storage, condition and month. Three sellers and three buyers make a price. Each storage and each condition has its own newest sales, up to 20. A request that accepts `text/html` gets the page.",
      access: "anyone",
      params: z.object({ slug: z.string().describe("As in the address of the model’s page.") }),
      response: modelPrices,
      errors: { 404: "No phone of the model is listed or was sold." },
      async handle({ context, params }) {
        const { findModelPrices } = await import("#app/features/catalog/model-prices.server.ts");
        const page = await findModelPrices(context.db, params.slug);
        if (!page) return problemDetails(404, "No such model.");
        const { model, sales, storages } = page;
        const record: z.infer<typeof modelPrices> = {
          slug: model.slug,
          brandName: model.brand,
          model: model.model,
          prices: toPrices(sales.prices),
          storages: storages.map(({ storage, conditions: some, ...all }) => ({
            rom: storage,
            prices: toPrices(all.prices),
            conditions: some.map((one) => ({ condition: one.condition, prices: toPrices(one.prices) })),
          })),
          months: sales.months.map((month) => ({ month: month.month, prices: toPrices(month.prices) })),
        };
        // Sales are counted by a job, so a minute makes no difference.
        return Response.json(record, { headers: { "Cache-Control": "public, max-age=60" } });
      },
    }),
  },
  "/modelFacts": {
    GET: operation({
      tag: "Listings",
      summary: "What is known of a model",
      description:
        "Fill in a new listing with it. Without `brandName`, the model alone names one that we know.",
      access: "anyone",
      query: z.object({
        brandName: z.string().max(100).optional(),
        model: z.string("model is required").max(100),
      }),
      response: modelFacts,
      errors: { 404: "We don’t know this model." },
      async handle({ context, query: { brandName = "", model } }) {
        const { findModelFacts } = await import("#app/features/listings/model-facts.server.ts");
        const facts = await findModelFacts(context.db, { brandName, model });
        if (!facts) return problemDetails(404, unknownModelText);
        const { colors: codes, ...known } = facts;
        const colors = codes.map((code) => String(inWords("color", code)));
        return Response.json({ ...known, colors });
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
