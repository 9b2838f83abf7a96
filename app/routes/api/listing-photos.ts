import { z } from "zod";
import { maxPhotos, photoTypes } from "#app/features/photos/photo.rules.ts";
import { findOwnPhotos } from "#app/features/photos/photos.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { receivePhoto } from "../receive-photo.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { photoRecord, toPhoto } from "./record-fields.ts";
import { byId, insertedResponse, insertedSchema, uploadErrors } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Listings",
    summary: "List your listing’s photos",
    description: "In display order. Lists show the first.",
    access: "signed in",
    params: byId,
    response: z.array(photoRecord),
    errors: { 404: "No such listing, or it isn’t yours." },
    async handle({ context, viewer, params }) {
      const found = await findOwnPhotos(context.db, viewer, params.id);
      if (!found) return problem(404, "No such listing.");
      return Response.json(found.photos.map(toPhoto));
    },
  }),
  POST: operation({
    tag: "Listings",
    summary: "Add a photo to a listing",
    description: `Send the file as the body. It becomes the last of up to ${maxPhotos} photos. The same file is added only once.`,
    access: "signed in",
    params: byId,
    fileTypes: photoTypes,
    mutation: "add photos",
    response: insertedSchema,
    errors: {
      ...uploadErrors,
      404: "No such listing, or it isn’t yours.",
      409: "The listing is sold, or already has all its photos.",
    },
    async handle({ request, context, viewer, params }) {
      const outcome = await receivePhoto(context, request, viewer, "listing", params.id);
      if ("added" in outcome) return insertedResponse(outcome.added);
      return problem(outcome.status, outcome.text, { headers: outcome.headers });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
