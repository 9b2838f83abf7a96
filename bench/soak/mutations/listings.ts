import { picture } from "../../../tests/harness/images.ts";
import { validListing } from "../../../tests/harness/listing-form.ts";
import { type MutationCases, request } from "./mutation-case.ts";
import { addListing, addPhotos, adminOf, buyerOf, sellerOf } from "./records.ts";

/** What sellers do with their listings. */
export const listings = {
  publish: [
    request(async (market) => ({
      person: await sellerOf(market),
      path: "/addphone",
      fields: { ...validListing, formKey: crypto.randomUUID() },
    })),
    request(async (market) => ({
      person: await sellerOf(market),
      path: "/phoneInfoCollection",
      method: "POST",
      body: validListing,
    })),
  ],
  "edit listing": [
    request(async (market) => {
      const { person, phone } = await addListing(market);
      const fields = { ...validListing, sellingPrice: "300", condition: "Good" };
      return { person, path: `/manage/mysells/${phone.id}/edit`, fields };
    }),
  ],
  "add photos": [
    request(async (market) => {
      const { person, phone } = await addListing(market);
      return { person, path: `/manage/mysells/${phone.id}/photos/upload`, file: await picture() };
    }),
  ],
  "change photos": [
    request(async (market) => {
      const { person, phone } = await addListing(market);
      const [, second] = await addPhotos(market, phone.id);
      const fields = { intent: "left", _id: second?.id ?? "" };
      return { person, path: `/manage/mysells/${phone.id}/photos`, fields };
    }),
    request(
      async (market) => {
        const { person, phone } = await addListing(market);
        const [first] = await addPhotos(market, phone.id);
        const fields = { intent: "remove", _id: first?.id ?? "" };
        return { person, path: `/manage/mysells/${phone.id}/photos`, fields };
      },
      // A photo that the listing does not show any more is deleted in the background, or by the job.
      { follows: ["photos"] },
    ),
  ],
  "count view": [
    request(
      async (market) => {
        const { phone } = await addListing(market);
        return { person: await buyerOf(market), path: "/seen", fields: { id: phone.id } };
      },
      { mayRepeat: true },
    ),
  ],
  "delete listing": [
    request(async (market) => {
      const { person, phone } = await addListing(market);
      return { person, path: "/manage/mysells", fields: { _id: phone.id } };
    }),
    request(async (market) => {
      const { phone } = await addListing(market);
      return { person: await adminOf(market), path: "/manage/listings", fields: { _id: phone.id } };
    }),
    request(async (market) => {
      const { person, phone } = await addListing(market);
      return { person, path: `/phones/delete/${phone.id}`, method: "DELETE" };
    }),
  ],
} satisfies MutationCases;
