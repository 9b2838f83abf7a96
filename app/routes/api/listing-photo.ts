import { z } from "zod";
import { deletePhotos } from "#app/features/photos/photo-objects.server.ts";
import { movePhoto, removePhoto } from "#app/features/photos/photos.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import {
  byId,
  deletedResponse,
  deletedSchema,
  modifiedResponse,
  modifiedSchema,
  undeletedFields,
  unmodifiedFields,
} from "./results.ts";

const described = {
  tag: "Listings",
  access: "signed in",
  params: byId.extend({ photoId: z.string() }),
  mutation: "change photos",
  errors: { 404: "No such photo, it isn’t yours, or the listing is sold." },
} as const;

const notFoundText = "No such photo, or its listing is sold.";

const route = defineApiRoute({
  PUT: operation({
    ...described,
    summary: "Move a listing’s photo",
    description: "By one place. The first photo is the cover.",
    body: z.object({ move: z.enum(["left", "right"]).describe("“left” moves it toward the first.") }),
    example: { move: "left" },
    response: modifiedSchema,
    async handle({ context, viewer, params: { id, photoId }, body }) {
      const moved = await movePhoto(context.db, viewer, id, photoId, body.move);
      return moved ? modifiedResponse(1) : problem(404, notFoundText, unmodifiedFields);
    },
  }),
  DELETE: operation({
    ...described,
    summary: "Delete a listing’s photo",
    response: deletedSchema,
    async handle({ context: { db, photoStorage, inBackground }, viewer, params: { id, photoId } }) {
      const removed = await removePhoto(db, viewer, id, photoId);
      if (!removed) return problem(404, notFoundText, undeletedFields);
      if (photoStorage) inBackground(() => deletePhotos(db, photoStorage, [photoId]));
      return deletedResponse();
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
