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
    summary: "The photos of the caller’s listing",
    description: "In their order: lists show the first.",
    access: "signed in",
    params: byId,
    response: z.array(photoRecord),
    errors: { 404: "No such listing, or it isn’t the caller’s." },
    async handle({ context, viewer, params }) {
      const found = await findOwnPhotos(context.db, viewer, params.id);
      if (!found) return problem(404, "No such listing.");
      return Response.json(found.photos.map(toPhoto));
    },
  }),
  POST: operation({
    tag: "Listings",
    summary: "Add a photo to a listing",
    description: `The body is the file. It becomes the last of at most ${maxPhotos} photos. The same file counts once.`,
    access: "signed in",
    params: byId,
    fileTypes: photoTypes,
    mutation: "add photos",
    response: insertedSchema,
    errors: {
      ...uploadErrors,
      404: "No such listing, or it isn’t the caller’s.",
      409: "The listing is sold, or has all its photos.",
    },
    async handle({ request, context, viewer, params }) {
      const outcome = await receivePhoto(context, request, viewer, "listing", params.id);
      return "added" in outcome ? insertedResponse(outcome.added) : problem(outcome.status, outcome.text);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
