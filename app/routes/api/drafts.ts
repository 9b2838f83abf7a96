import { z } from "zod";
import { listingFormSchemaFor } from "#app/features/listings/listing.schema.ts";
import { maxPhotos } from "#app/features/photos/photo.rules.ts";
import { selectDraftPhotos } from "#app/features/photos/photos.server.ts";
import { bodyErrors } from "#app/server/api/json-body.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { confirmed } from "#app/server/forms/schema-fields.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { photoOperations } from "./photo-operations.ts";
import { publish, publishedResponse, publishingConflict } from "./publish.server.ts";
import { _id, photoRecord, toPhoto } from "./record-fields.ts";
import {
  deletedResponse,
  deletedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
  nothingDeleted,
} from "./results.ts";

const load = () => import("#app/features/listings/drafts.server.ts");
const described = { tag: "Listings", access: "signed in" } as const;
const noDraft = "No such draft.";

const fields = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .optional()
  .describe("As in `POST /phoneInfoCollection`. They take the place of the draft’s.");

const draftPhotos = photoOperations("draft", {
  description: `It becomes the last of up to ${maxPhotos} photos, which the listing has once the draft is published.`,
  notFound: noDraft,
  conflict: "The draft already has all its photos.",
  noPhoto: "No such photo, or it isn’t yours.",
});

const routes = defineApiRoutes({
  "/drafts": {
    GET: operation({
      ...described,
      summary: "List your drafts",
      description: "The newest first.",
      response: z.array(z.object({ _id, name: z.string().describe("Brand and model. May be empty.") })),
      async handle({ context, viewer }) {
        const drafts = await (await load()).listDrafts(context.db, viewer);
        return Response.json(drafts.map(({ id, name }) => ({ _id: id, name })));
      },
    }),
    POST: operation({
      ...described,
      summary: "Copy a listing into a draft",
      description: "Without its photos, IMEI and own number. Sold ones can be copied, too.",
      mutation: "edit listing",
      body: z.object({ phoneId: z.string("phoneId is required").describe("A listing of yours.") }),
      example: { phoneId: "0197f0e2-3f5c-7c5e-8d3a-5d2b1a6c9e10" },
      response: insertedSchema,
      errors: { 404: "No such listing, or it isn’t yours.", 409: "You have too many drafts." },
      async handle({ context, viewer, body, requestId }) {
        const { draftFromListing, draftRefusals } = await load();
        const draft = await draftFromListing(context.db, viewer, body.phoneId, requestId);
        if ("id" in draft) return insertedResponse(draft.id);
        return draft.refusal === "unknown listing"
          ? problemDetails(404, "No such listing.")
          : problemDetails(409, draftRefusals[draft.refusal]);
      },
    }),
  },
  "/drafts/:id": {
    GET: operation({
      ...described,
      summary: "Show a draft",
      params: idParams,
      response: z.object({
        _id,
        fields: z
          .record(z.string(), z.string())
          .describe("As they were typed. They’re checked when you publish."),
        photos: z.array(photoRecord),
      }),
      errors: { 404: noDraft },
      async handle({ context: { db }, viewer, params }) {
        const draft = await (await load()).findDraft(db, viewer, params.id);
        if (!draft) return problemDetails(404, noDraft);
        const photos = await selectDraftPhotos(db, viewer, draft.id);
        return Response.json({ _id: draft.id, fields: draft.typed, photos: photos.map(toPhoto) });
      },
    }),
    POST: operation({
      ...described,
      summary: "Publish a draft",
      description:
        "With its photos. The draft is gone then. What the page would ask about gets 409 with `asked`: change it, or send it again with `confirmed`.",
      mutation: "publish",
      params: idParams,
      body: z.object({ fields, confirmed }),
      example: { fields: { sellingPrice: 299 } },
      response: insertedSchema,
      errors: { 404: noDraft, 409: publishingConflict },
      async handle({ context, viewer, params, body }) {
        const draft = await (await load()).findDraft(context.db, viewer, params.id);
        if (!draft) return problemDetails(404, noDraft);
        const { id, typed } = draft;
        const hasPhotos = (await selectDraftPhotos(context.db, viewer, id)).length > 0;
        const stated = Object.entries({ ...typed, ...body.fields }).filter(([, value]) => value !== "");
        const { data, error } = listingFormSchemaFor(
          hasPhotos || stated.some(([name]) => name === "image"),
        ).safeParse(Object.fromEntries(stated));
        if (error) {
          const errors = bodyErrors(error, "#/fields");
          return problemDetails(422, errors.map(({ detail }) => detail).join(". "), { errors });
        }
        const listing = { ...data, confirmed: body.confirmed };
        const outcome = await publish(context, viewer, listing, id, {
          at: "#/fields",
          needsPhoto: !data.image,
        });
        return publishedResponse(outcome);
      },
    }),
    DELETE: operation({
      ...described,
      summary: "Delete a draft with its photos",
      mutation: "publish",
      params: idParams,
      response: deletedSchema,
      errors: { 404: noDraft },
      async handle({ context: { db }, viewer, params }) {
        const { deleteDraft, findDraft } = await load();
        if (!(await findDraft(db, viewer, params.id))) return problemDetails(404, noDraft, nothingDeleted);
        await deleteDraft(db, viewer, params.id);
        return deletedResponse();
      },
    }),
  },
  "/drafts/photos/:id": { POST: draftPhotos.add },
  "/drafts/photos/:id/:photoId": draftPhotos.ofOne,
});

export const loader = routes.loader;
export const action = routes.action;
