import { z } from "zod";
import { maxPhotos, photoTypes, photoUrl } from "#app/features/photos/photo.rules.ts";
import { findOwnPhotos } from "#app/features/photos/photos.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { receivePhoto } from "../receive-photo.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { recordNames } from "./record-fields.ts";
import { byId, inserted, insertedResponse } from "./results.ts";

const photoRecord = z
  .object({
    _id: z.string(),
    width: z.int(),
    height: z.int(),
    path: z.string().describe("The photo in its largest size."),
  })
  .register(recordNames, { id: "Photo" });

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
      const photos = found.photos.map(
        ({ id, ...size }) =>
          ({ _id: id, ...size, path: photoUrl(id, "gallery") }) satisfies z.infer<typeof photoRecord>,
      );
      return Response.json(photos);
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
    response: inserted,
    errors: {
      400: "The file isn’t such a picture, or we can’t read it.",
      404: "No such listing, or it isn’t the caller’s.",
      409: "The listing is sold, or has all its photos.",
      413: "The file is larger than 8 MB.",
      503: "Photos can’t be added right now.",
    },
    async handle({ request, context, viewer, params }) {
      const outcome = await receivePhoto(context, request, viewer, params.id);
      return "added" in outcome ? insertedResponse(outcome.added) : problem(outcome.status, outcome.text);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
