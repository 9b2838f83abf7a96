import { eq } from "drizzle-orm";
import {
  listingDrafts,
  listingImports,
  listingViews,
  phones,
  photos,
  savedListings,
  savedSearches,
} from "#app/db/schema.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { saveDraft } from "#app/features/listings/drafts.server.ts";
import { checkFile } from "#app/features/listings/import/imports.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { dayMs, isoDay } from "#app/time.ts";
import { addPhone } from "../fixtures.ts";
import { picture } from "../images.ts";
import { validListing } from "../listing-form.ts";
import { type Example, type Examples, type Market, rowsWith } from "./example.ts";
import { addListing, addPhotos, adminOf, buyerOf, type Person, sellerOf } from "./records.ts";

/** The own listing, whose two photos change. */
const photosExample = (more: Partial<Example>, fieldsOf: (ids: [string, string]) => Example["fields"]) => ({
  form: "/manage/mysells/:phoneId/photos",
  of: "owner" as const,
  ...more,
  async prepare(market: Market) {
    const { person, phone } = await addListing(market);
    const added = await addPhotos(market, { phoneId: phone.id });
    const fields = fieldsOf(added);
    return { person, ids: [phone.id, String(fields?._id)], fields, rows: rowsWith(photos.phoneId, phone.id) };
  },
});

/** The own draft, whose two photos change. */
const draftPhotosExample = (
  more: Partial<Example>,
  changeOf: (ids: [string, string]) => { photoId: string; body?: object },
) => ({
  of: "owner" as const,
  ...more,
  async prepare(market: Market) {
    const { person, ids } = await ownDraft(market);
    const draftId = `${person.account.id}/${ids[0]}`;
    const { photoId, body } = changeOf(await addPhotos(market, { draftId }));
    return { person, ids: [...ids, photoId], ...(body && { body }), rows: rowsWith(photos.draftId, draftId) };
  },
});

const search = { name: "Cheap", frequency: "daily" };

async function ownSearch(market: Market) {
  const person = await buyerOf(market);
  const query = parseSearchQuery(new URLSearchParams("q=fairphone"));
  const settings = { name: "Fairphones", frequency: "at once" } as const;
  const category = { key: "products" } as const;
  const saved = await saveSearch(market.db, person.account, settings, { category, query });
  if (typeof saved === "string") throw new Error(saved);
  return { person, ids: [saved.id], fields: { _id: saved.id }, rows: rowsWith(savedSearches.id, saved.id) };
}

async function savedListing(market: Market) {
  const person = await buyerOf(market);
  const { id } = await addPhone(market.db);
  await saveListing(market.db, person.account, id);
  const rows = rowsWith(savedListings.phoneId, id);
  return { person, ids: [id], fields: { _id: id, remove: id }, rows };
}

const pricesOf = (id: string) => Buffer.from(`Id,Price\n${id},300`);

async function ownListing(market: Market) {
  const { person, phone } = await addListing(market);
  return { person, ids: [phone.id], fields: { _id: phone.id }, rows: rowsWith(phones.id, phone.id) };
}

async function ownDraft(market: Market) {
  const { person } = await addListing(market);
  const id = crypto.randomUUID();
  await saveDraft(market.db, person.account, id, validListing);
  return { person, ids: [id], fields: validListing };
}

const inThirtyDays = isoDay(Math.floor(Date.now() / dayMs) + 30);

/** A seller with a listing, whom the change of all their listings concerns. */
async function allOfSeller(market: Market, by?: Person) {
  const person = by ?? (await sellerOf(market));
  await addPhone(market.db, { sellerId: person.account.id });
  return { person, rows: rowsWith(phones.sellerId, person.account.id) };
}

/** What sellers do with their listings, and what people save of them. */
export const listings = {
  publish: [
    {
      form: "/addphone",
      rest: "POST /phoneInfoCollection",
      hasKey: true,
      typed: "model",
      async prepare(market, by) {
        const listing = { ...validListing, model: `Model ${crypto.randomUUID()}` };
        // There is a listing already, so that it changes counts and adds none.
        const { person: seller } = await addListing(market);
        const person = by ?? seller;
        return { person, fields: listing, body: listing, rows: rowsWith(phones.model, listing.model) };
      },
    },
    {
      rest: "POST /drafts/{id}",
      of: "owner",
      async prepare(market) {
        const { person, ids, fields } = await ownDraft(market);
        const model = `Model ${crypto.randomUUID()}`;
        return { person, ids, body: { fields: { ...fields, model } }, rows: rowsWith(phones.model, model) };
      },
    },
    {
      rest: "DELETE /drafts/{id}",
      of: "owner",
      async prepare(market) {
        const { person, ids } = await ownDraft(market);
        return { person, ids, rows: rowsWith(listingDrafts.id, ids[0]) };
      },
    },
    {
      rest: "POST /allPhoneInfo",
      isByRow: true,
      async prepare(market) {
        const listing = { ...validListing, model: `Model ${crypto.randomUUID()}` };
        const { person } = await addListing(market);
        return { person, body: { listings: [listing] }, rows: rowsWith(phones.model, listing.model) };
      },
    },
  ],
  "import listings": [
    {
      rest: "POST /imports",
      async prepare(market, by) {
        const { person: seller, phone } = await addListing(market);
        const person = by ?? seller;
        const sellerId = person.account?.id;
        return { person, file: pricesOf(phone.id), rows: rowsWith(listingImports.sellerId, sellerId) };
      },
    },
    {
      form: "/manage/mysells/import",
      rest: "PUT /imports/{id}",
      of: "owner",
      // A queue applies it.
      follows: ["phones", "price_changes", "listing_import_rows", "unmatched_listings"],
      fields: { intent: "apply" },
      body: { change: "apply" },
      async prepare(market) {
        const { person, phone } = await addListing(market);
        const file = { name: "prices.csv", bytes: pricesOf(phone.id), secrets: [] };
        const checked = await checkFile(market.db, person.account, file);
        if ("refusal" in checked) throw new Error(checked.refusal);
        const { id } = checked;
        return { person, ids: [id], fields: { _id: id }, rows: rowsWith(listingImports.id, id) };
      },
    },
  ],
  "edit listing": [
    {
      form: "/manage/mysells/:phoneId/edit",
      rest: "PUT /phones/{id}",
      fields: { ...validListing, sellingPrice: "300", condition: "Good" },
      body: { sellingPrice: 300 },
      typed: "model",
      of: "owner",
      prepare: ownListing,
    },
    {
      form: "/manage/mysells",
      rest: "PUT /phones/sale/{id}",
      fields: { intent: "pause" },
      body: { change: "pause" },
      mayRepeat: true,
      of: "owner",
      refused: { form: 303 },
      prepare: ownListing,
    },
    {
      form: "/manage/mysells",
      rest: "PUT /shop/pause",
      fields: { intent: "pause all", until: inThirtyDays },
      body: { until: inThirtyDays },
      mayRepeat: true,
      prepare: allOfSeller,
    },
    {
      form: "/manage/mysells",
      rest: "DELETE /shop/pause",
      fields: { intent: "end pause" },
      mayRepeat: true,
      async prepare(market, by) {
        const prepared = await allOfSeller(market, by);
        await market.db
          .update(phones)
          .set({ status: "paused", pausedUntil: new Date(Date.now() + 30 * dayMs) })
          .where(eq(phones.sellerId, prepared.person.account.id));
        return prepared;
      },
    },
    {
      rest: "POST /drafts",
      of: "owner",
      async prepare(market) {
        const { person, phone } = await addListing(market);
        return {
          person,
          body: { phoneId: phone.id },
          rows: rowsWith(listingDrafts.sellerId, person.account.id),
        };
      },
    },
    {
      form: "/manage/mysells/prices",
      hasKey: true,
      of: "owner",
      refused: { form: 303 },
      async prepare(market) {
        const { person, phone } = await addListing(market);
        const fields = { [`price-${phone.id}`]: "300", [`shown-${phone.id}`]: String(phone.sellingCents) };
        return { person, fields, rows: rowsWith(phones.id, phone.id) };
      },
    },
    {
      rest: "PUT /allPhoneInfo/prices",
      of: "owner",
      refused: { rest: 200 },
      async prepare(market) {
        const { person, phone } = await addListing(market);
        const body = { prices: [{ id: phone.id, sellingPrice: 300 }] };
        return { person, body, rows: rowsWith(phones.id, phone.id) };
      },
    },
  ],
  "add photos": [
    {
      form: "/manage/mysells/:phoneId/photos/upload",
      rest: "POST /phones/photos/{id}",
      refusal: "script",
      of: "owner",
      async prepare(market) {
        const { person, phone } = await addListing(market);
        const rows = rowsWith(photos.phoneId, phone.id);
        return { person, ids: [phone.id], file: await picture(), rows };
      },
    },
    {
      rest: "POST /drafts/photos/{id}",
      of: "owner",
      async prepare(market) {
        const { person, ids } = await ownDraft(market);
        const rows = rowsWith(photos.draftId, `${person.account.id}/${ids[0]}`);
        return { person, ids, file: await picture(), rows };
      },
    },
    {
      form: "/addphone/photos/:draftId",
      refusal: "script",
      async prepare(market, by) {
        const person = by ?? (await sellerOf(market));
        const id = crypto.randomUUID();
        const rows = rowsWith(photos.draftId, `${person.account?.id}/${id}`);
        return { person, ids: [id], file: await picture(), rows };
      },
    },
  ],
  "change photos": [
    {
      form: "/addphone",
      async prepare(market, by) {
        const person = by ?? (await sellerOf(market));
        const formKey = crypto.randomUUID();
        const draftId = `${person.account?.id}/${formKey}`;
        const [, second] = await addPhotos(market, { draftId });
        const fields = { formKey, intent: `left ${second}` };
        return { person, fields, rows: rowsWith(photos.draftId, draftId) };
      },
    },
    draftPhotosExample({ rest: "PUT /drafts/photos/{id}/{photoId}" }, ([, second]) => ({
      photoId: second,
      body: { move: "left" },
    })),
    draftPhotosExample({ rest: "DELETE /drafts/photos/{id}/{photoId}", follows: ["photos"] }, ([first]) => ({
      photoId: first,
    })),
    photosExample({ rest: "PUT /phones/photos/{id}/{photoId}", body: { move: "left" } }, ([, second]) => ({
      intent: "left",
      _id: second,
    })),
    // A photo that the listing does not show any more is deleted in the background, or by the job.
    photosExample({ rest: "DELETE /phones/photos/{id}/{photoId}", follows: ["photos"] }, ([first]) => ({
      intent: "remove",
      _id: first,
    })),
  ],
  "count view": [
    {
      form: "/seen",
      refusal: "script",
      mayRepeat: true,
      async prepare(market) {
        const { phone } = await addListing(market);
        return { fields: { id: phone.id }, rows: rowsWith(listingViews.phoneId, phone.id) };
      },
    },
  ],
  "delete listing": [
    {
      form: "/manage/mysells",
      rest: "DELETE /phones/delete/{id}",
      of: "owner or administrator",
      refused: { form: 303 },
      prepare: ownListing,
    },
    {
      form: "/manage/listings",
      prepare: async (market, by) => ({
        ...(await ownListing(market)),
        person: by ?? (await adminOf(market)),
      }),
    },
  ],
  "save listing": [
    {
      form: "/manage/saved/state",
      rest: "PUT /saved/{phoneId}",
      refusal: "toast",
      async prepare(market) {
        const { id } = await addPhone(market.db);
        return { ids: [id], fields: { save: id }, rows: rowsWith(savedListings.phoneId, id) };
      },
    },
    {
      form: "/manage/saved",
      rest: "DELETE /saved/{phoneId}",
      of: "owner",
      refused: { form: 303 },
      prepare: savedListing,
    },
    {
      form: "/manage/saved/state",
      refusal: "toast",
      of: "owner",
      refused: { form: 303 },
      prepare: savedListing,
    },
  ],
  "change searches": [
    {
      form: "/manage/searches/new",
      rest: "POST /searches",
      fields: { frequency: "daily" },
      typed: "name",
      async prepare() {
        const query = "q=fairphone&to=300";
        const name = `Cheap ${crypto.randomUUID()}`;
        const body = { name, frequency: "daily", query };
        return { query: `?${query}`, fields: { name }, body, rows: rowsWith(savedSearches.name, name) };
      },
    },
    {
      form: "/manage/searches/:searchId/edit",
      rest: "PUT /searches/{id}",
      fields: search,
      body: search,
      typed: "name",
      of: "owner",
      prepare: ownSearch,
    },
    {
      form: "/manage/searches",
      rest: "DELETE /searches/{id}",
      of: "owner",
      refused: { form: 303 },
      prepare: ownSearch,
    },
  ],
} satisfies Examples;
