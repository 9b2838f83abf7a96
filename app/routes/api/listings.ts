import { z } from "zod";
import { brand } from "#app/brand.ts";
import { editRefusals } from "#app/features/listings/edit-refusals.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { listingEditSchema, schemaForEditOf } from "#app/features/listings/listing-edit.schema.ts";
import { removalRefusals, removeListing } from "#app/features/listings/listing-removal.server.ts";
import { sellingTabs } from "#app/features/listings/listing-table.rules.ts";
import { toAmount } from "#app/features/listings/money.rules.ts";
import { maxPriceChanges, priceRefusals } from "#app/features/listings/price-field.rules.ts";
import { saleChangeMessage, saleChangeNames } from "#app/features/listings/sale-change.rules.ts";
import { readSellings } from "#app/features/listings/sellings.server.ts";
import { maxPhotos } from "#app/features/photos/photo.rules.ts";
import { findOwnPhotos } from "#app/features/photos/photos.server.ts";
import { countLabel, market } from "#app/market.ts";
import { bodyErrors } from "#app/server/api/json-body.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { sanitizeText } from "#app/server/forms/sanitize-text.ts";
import { confirmed } from "#app/server/forms/schema-fields.ts";
import { accountInQuery, ownListQuery } from "./account-in-query.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listResponse } from "./list.server.ts";
import { ownListingRecord, toOwnListing } from "./listing-records.ts";
import { listingsOperation } from "./listings-operation.server.ts";
import { photoOperations } from "./photo-operations.ts";
import { publish, publishedResponse, publishingConflict } from "./publish.server.ts";
import { photoRecord, problemRecord, toPhoto } from "./record-fields.ts";
import {
  deletedResponse,
  deletedSchema,
  idParams,
  insertedSchema,
  modifiedCountSchema,
  modifiedResponse,
  nothingDeleted,
  unmodifiedFields,
} from "./results.ts";

const listingPhotos = photoOperations("listing", {
  description: `It becomes the last of up to ${maxPhotos} photos.`,
  notFound: "No such listing, or it isn’t yours.",
  conflict: "The listing is sold, or already has all its photos.",
  noPhoto: "No such photo, it isn’t yours, or its listing is sold.",
});

const publishingText = `You’re the seller: a seller or id in the body is ignored. Prices go from ${market.price("1")} to ${market.price(countLabel(100_000))}, so a market price of 0 returns 422. So does ${brand.imageLinks ? "an `image` that isn’t an `https:` URL" : "any `image`: add photos afterwards"}. What the page would ask about, like an unlikely price, gets 409 with \`asked\`: change it, or send the listing again with \`confirmed\`. If you’re not verified yet, a moderator may have to approve your first listing.`;

const exampleListing = {
  ...{ brandName: "Sony", model: "Xperia 5", ram: "8 GB", rom: "256 GB", processor: "Snapdragon 865" },
  ...({ camera: "12 MP", battery: "4000 mAh", os: "Android", deviceType: "Smart Phone" } as const),
  ...(brand.imageLinks && { image: "https://pictures.example/xperia.jpg" }),
  ...{ sellingReason: "I have a new one", usedTime: "14" },
  ...{ marketPrice: 549, sellingPrice: 349, postDate: "2026-11-20" },
};

const maxListings = 100;

const newListing = listingSchema.extend({ confirmed });

/** Each is read for itself, so that a wrong one refuses nothing else. */
const listingsBody = z.object({
  listings: z
    .array(
      z.unknown().transform((listing) => newListing.safeParse(listing)),
      "listings must be an array",
    )
    .min(1, "Send at least one listing")
    .max(maxListings, `Send at most ${maxListings} listings`)
    .describe("Each as in `POST /phoneInfoCollection`."),
});

const changedPrice = z.object({
  id: z.string("id must be text"),
  sellingPrice: listingSchema.shape.sellingPrice,
  shownPrice: listingSchema.shape.sellingPrice
    .optional()
    .describe("The price you know. If the listing has another one now, it keeps that."),
});

/** Each is read for itself, as in `listingsBody`. */
const pricesBody = z.object({
  prices: z
    .array(
      z.unknown().transform((price) => changedPrice.safeParse(price)),
      "prices must be an array",
    )
    .min(1, "Send at least one price")
    .max(maxPriceChanges, `Send at most ${maxPriceChanges} prices`)
    .refine(
      (prices) => new Set(prices.map(({ data }, index) => data?.id ?? index)).size === prices.length,
      "Name each listing once",
    )
    .describe("Each with `id`, `sellingPrice` and, if you like, `shownPrice`."),
  confirmed,
});

const loadEditing = () => import("#app/features/listings/listing-edit.server.ts");

const routes = defineApiRoutes({
  "/phoneInfoCollection": {
    GET: listingsOperation({ summary: "List all phones and tablets" }),
    POST: operation({
      tag: "Listings",
      summary: "Publish a device",
      description: publishingText,
      access: "signed in",
      body: newListing,
      example: exampleListing,
      mutation: "publish",
      response: insertedSchema,
      errors: {
        409: publishingConflict,
      },
      async handle({ context, viewer, body, requestId }) {
        return publishedResponse(await publish(context, viewer, body, requestId));
      },
    }),
  },
  "/phoneInfoCollection/:category": {
    GET: listingsOperation({
      summary: "List devices by system or type",
      params: z.object({ category: z.string().describe("Android, Ios, Smart Phone or Tablet.") }),
    }),
  },
  "/phoneInfoCollection/:category/:type": {
    GET: listingsOperation({
      summary: "List devices by system and type",
      params: z.object({
        category: z.string().describe("Android or Ios."),
        type: z.string().describe("Smart Phone or Tablet."),
      }),
    }),
  },
  "/allPhoneInfo": {
    GET: operation({
      tag: "Listings",
      summary: "List your listings",
      description:
        "The newest first. Filters are those of My Sells. Of others’ listings, administrators search no own numbers.",
      access: "signed in",
      query: ownListQuery.extend({
        q: z
          .string()
          .max(100)
          .transform((words) => sanitizeText(words))
          .optional()
          .describe("Words of the device, its storage, or a part of your own number."),
        tab: z.enum(sellingTabs).optional().describe("Where the listing is in My Sells."),
        photo: z.enum(["without"]).optional().describe("Those without a photo of yours."),
      }),
      response: z.array(ownListingRecord),
      paginated: true,
      async handle({ request, context, viewer, query }) {
        const sellerId = await accountInQuery(context, viewer, query.email);
        const { q, tab, photo } = query;
        const read = sellerId
          ? await readSellings(context.db, viewer, sellerId, { q, tab, photo })
          : async () => [];
        return listResponse(request, query, { read, record: toOwnListing });
      },
    }),
    POST: operation({
      tag: "Listings",
      summary: `Publish up to ${maxListings} devices`,
      description: `${publishingText} Each listing has its own result, in the order you sent them: a wrong one keeps none of the others from being published. Each counts toward what you can list in a day.`,
      access: "signed in",
      body: listingsBody,
      maxBodyKiB: 512,
      example: { listings: [exampleListing] },
      mutation: "publish",
      response: z.object({
        acknowledged: z.literal(true),
        insertedCount: z.int().min(0).max(maxListings),
        results: z.array(
          z.union([
            z.object({ insertedId: z.string() }),
            problemRecord.pick({ status: true, detail: true, errors: true, asked: true }),
          ]),
        ),
      }),
      async handle({ context, viewer, body, requestId }) {
        const results = [];
        for (const [index, { data, error }] of body.listings.entries()) {
          if (error) {
            const errors = bodyErrors(error, `#/listings/${index}`);
            results.push({ status: 422, detail: errors.map(({ detail }) => detail).join(". "), errors });
            continue;
          }
          const key = requestId && `${requestId} ${index}`;
          const outcome = await publish(context, viewer, data, key, { at: `#/listings/${index}` });
          results.push("id" in outcome ? { insertedId: outcome.id } : outcome.refusal);
        }
        const insertedCount = results.filter((result) => "insertedId" in result).length;
        return Response.json({ acknowledged: true, insertedCount, results });
      },
    }),
  },
  "/allPhoneInfo/prices": {
    PUT: operation({
      tag: "Listings",
      summary: `Change up to ${maxPriceChanges} prices`,
      description:
        "Each price has its own result, in the order you sent them: a wrong one keeps none of the others from changing. Booked and sold devices keep their price, and so do hidden listings. The same price again is acknowledged. An unlikely price gets 409 with `asked`: change it, or send it again with `confirmed`.",
      access: "signed in",
      mutation: "edit listing",
      body: pricesBody,
      example: { prices: [{ id: "0197f0e2-3f5c-7c5e-8d3a-5d2b1a6c9e10", sellingPrice: 299 }] },
      response: z.object({
        acknowledged: z.literal(true),
        modifiedCount: z.int().min(0).max(maxPriceChanges),
        changeId: z
          .string()
          .nullable()
          .describe(
            "`DELETE /allPhoneInfo/prices/{id}` takes all back, for ten minutes. Null if nothing changed.",
          ),
        results: z.array(
          z.union([
            z.object({ id: z.string(), sellingPrice: z.number() }),
            problemRecord.pick({ status: true, detail: true, errors: true, asked: true }),
          ]),
        ),
      }),
      async handle({ context, viewer, body, requestId }) {
        const { changePrices, findPrices } = await import("#app/features/listings/price-change.server.ts");
        const { priceDoubtAbout } = await import("#app/features/listings/price-change.rules.ts");
        const prices = body.prices.flatMap(({ data }) => data ?? []);
        const ids = prices.map(({ id }) => id);
        const found = new Map((await findPrices(context.db, viewer, ids)).map((one) => [one.id, one]));
        const doubts = new Map(
          prices.flatMap(({ id, sellingPrice, shownPrice }) => {
            const listing = found.get(id);
            // What would be refused isn't asked about.
            if (!listing || listing.refusal || (shownPrice ?? listing.sellingCents) !== listing.sellingCents)
              return [];
            const doubt = priceDoubtAbout(listing, sellingPrice, body.confirmed ?? []);
            return doubt ? [[id, doubt]] : [];
          }),
        );
        const changes = prices.flatMap(({ id, shownPrice, sellingPrice }) =>
          doubts.has(id) ? [] : [{ id, shownCents: shownPrice, cents: sellingPrice }],
        );
        const { removalId, outcomes } = await changePrices(context.db, viewer, changes, requestId);
        const results = body.prices.map(({ data, error }, index) => {
          if (!data) {
            const errors = bodyErrors(error, `#/prices/${index}`);
            return { status: 422, detail: errors.map(({ detail }) => detail).join(". "), errors };
          }
          const doubt = doubts.get(data.id);
          if (doubt) return { status: 409, detail: doubt.question, asked: [doubt.about] };
          const outcome = outcomes.get(data.id) ?? "unknown listing";
          if (outcome === "changed" || outcome === "same")
            return { id: data.id, sellingPrice: toAmount(data.sellingPrice) };
          return outcome === "unknown listing"
            ? { status: 404, detail: "No such listing." }
            : {
                status: 409,
                detail: outcome === "stale" ? "It has another price now." : priceRefusals[outcome],
              };
        });
        const modifiedCount = [...outcomes.values()].filter((outcome) => outcome === "changed").length;
        return Response.json({ acknowledged: true, modifiedCount, changeId: removalId, results });
      },
    }),
  },
  "/allPhoneInfo/prices/:id": {
    DELETE: operation({
      tag: "Listings",
      summary: "Undo a change of prices",
      description:
        "For ten minutes, except where a device was booked or sold, or its price changed since. The same Undo again is acknowledged.",
      access: "signed in",
      mutation: "undo deletion",
      params: z.object({ id: z.string().describe("The `changeId` of the change.") }),
      response: modifiedCountSchema,
      errors: { 404: "No such change of yours, or it’s too late.", 409: "Nothing is left to take back." },
      async handle({ context, viewer, params }) {
        const { undoPrices } = await import("#app/features/listings/price-change.server.ts");
        const { restoredPricesTexts } = await import("#app/features/listings/price-change.rules.ts");
        const outcome = await undoPrices(context.db, viewer, params.id);
        if (outcome === "undone") return modifiedResponse(1);
        return outcome === "too late"
          ? problemDetails(404, "It’s too late to undo this.", unmodifiedFields)
          : problemDetails(409, restoredPricesTexts.impossible, unmodifiedFields);
      },
    }),
  },
  "/phones/:id": {
    PUT: operation({
      tag: "Listings",
      summary: "Change a listing",
      description:
        "For its seller. Fields you leave out stay as they are. A new price goes into the price history. While the device is reserved, you can’t change what identifies it. A returned device stays hidden until you send `listAgain`. What the page would ask about gets 409 with `asked`: change it, or send it again with `confirmed`.",
      access: "signed in",
      mutation: "edit listing",
      params: idParams,
      body: listingEditSchema.partial().extend({ confirmed }),
      async bodyFor({ context, viewer, params }) {
        const { findOwnListing } = await loadEditing();
        const listing = await findOwnListing(context.db, viewer, params.id);
        return schemaForEditOf(listing).partial().extend({ confirmed });
      },
      example: { sellingPrice: 299, city: "Port Town" },
      response: modifiedCountSchema,
      errors: {
        404: "No such listing, or it isn’t yours.",
        409: "The device is sold, it’s reserved and the change would make it another device, its IMEI is already listed, another of your listings has the number, or what you change needs to be `confirmed`.",
      },
      async handle({ context, viewer, params, body: { confirmed, ...changes } }) {
        const { db, secrets } = context;
        const { editOnceConfirmed, findOwnListing, imeiHashesOf, unchangedEdit } = await loadEditing();
        const listing = await findOwnListing(db, viewer, params.id);
        if (!listing) return problemDetails(404, "No such listing.", unmodifiedFields);
        const edit = { ...unchangedEdit(listing), ...changes };
        const imeiHashes = await imeiHashesOf(secrets, changes.imei);
        const outcome = await editOnceConfirmed(db, viewer, listing, edit, { confirmed, imeiHashes });
        if (typeof outcome === "object") {
          const { asked, remarks } = outcome;
          const errors = remarks.map(({ field, text }) => ({ pointer: `#/${field}`, detail: text }));
          const detail = remarks.map(({ text }) => text).join(" ");
          return problemDetails(409, detail, { ...unmodifiedFields, asked, errors });
        }
        if (outcome === "saved") return modifiedResponse(1);
        return outcome === "unknown listing"
          ? problemDetails(404, "No such listing.", unmodifiedFields)
          : problemDetails(409, editRefusals[outcome], unmodifiedFields);
      },
    }),
  },
  "/phones/sale/:id": {
    PUT: operation({
      tag: "Listings",
      summary: "Pause a listing, put it back on sale, or mark it as sold elsewhere",
      description:
        "A paused listing has a page, but is on no list and can’t be booked. The same change again is acknowledged.",
      access: "signed in",
      mutation: "edit listing",
      params: idParams,
      body: z.object({
        change: z.enum(saleChangeNames, `change must be one of: ${saleChangeNames.join(", ")}`),
      }),
      example: { change: "pause" },
      response: modifiedCountSchema,
      errors: {
        404: "No such listing, or it isn’t yours.",
        409: "The listing is booked, hidden or sold, or isn’t for sale.",
      },
      async handle({ context, viewer, params, body }) {
        const { changeSale } = await import("#app/features/listings/sale-change.server.ts");
        const { findOwnListing } = await loadEditing();
        const done = await changeSale(context.db, viewer, [params.id], body.change);
        if (done.length > 0) return modifiedResponse(1);
        return (await findOwnListing(context.db, viewer, params.id))
          ? problemDetails(409, saleChangeMessage(body.change, 0, 1), unmodifiedFields)
          : problemDetails(404, "No such listing.", unmodifiedFields);
      },
    }),
  },
  "/phones/delete/:id": {
    DELETE: operation({
      tag: "Listings",
      summary: "Delete a listing",
      description:
        "Sellers can delete their own listings, administrators any. A reserved listing can’t be deleted.",
      access: "signed in",
      mutation: "delete listing",
      params: idParams,
      response: deletedSchema,
      errors: { 404: "No such listing, or it isn’t yours.", 409: "The listing is reserved." },
      async handle({ context, viewer, params }) {
        const { refusal } = await removeListing(context.db, viewer, params.id);
        if (!refusal) return deletedResponse();
        return refusal === "not found"
          ? problemDetails(404, "No such listing.", nothingDeleted)
          : problemDetails(409, removalRefusals[refusal], nothingDeleted);
      },
    }),
  },
  "/phones/photos/:id": {
    GET: operation({
      tag: "Listings",
      summary: "List your listing’s photos",
      description: "In display order. Lists show the first.",
      access: "signed in",
      params: idParams,
      response: z.array(photoRecord),
      errors: { 404: "No such listing, or it isn’t yours." },
      async handle({ context, viewer, params }) {
        const found = await findOwnPhotos(context.db, viewer, params.id);
        if (!found) return problemDetails(404, "No such listing.");
        return Response.json(found.photos.map(toPhoto));
      },
    }),
    POST: listingPhotos.add,
  },
  "/phones/photos/:id/:photoId": listingPhotos.ofOne,
});

export const loader = routes.loader;
export const action = routes.action;
