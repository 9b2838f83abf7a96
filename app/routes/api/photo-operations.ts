import { z } from "zod";
import { photoTypes } from "#app/features/photos/photo.rules.ts";
import { deletePhotos } from "#app/features/photos/photo-objects.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { operation } from "./define-api-routes.server.ts";
import {
  deletedResponse,
  deletedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
  modifiedCountSchema,
  modifiedResponse,
  nothingDeleted,
  unmodifiedFields,
  uploadErrors,
} from "./results.ts";

interface PhotoTexts {
  description: string;
  /** Why there is none to add to, why none can be added, and why one is not changed. */
  notFound: string;
  conflict: string;
  noPhoto: string;
}

const loadChanges = () => import("#app/features/photos/photo-changes.server.ts");

/** Adds, moves and deletes the photos of the viewer's listings or drafts. */
export function photoOperations(
  owner: "listing" | "draft",
  { description, notFound, conflict, noPhoto }: PhotoTexts,
) {
  const described = { tag: "Listings", access: "signed in" } as const;
  const ofPhoto = {
    ...described,
    params: idParams.extend({ photoId: z.string() }),
    mutation: "change photos",
    errors: { 404: noPhoto },
  } as const;
  const loadTarget = async () => {
    const { draftForPhotos, listingForPhotos, ...changes } = await loadChanges();
    return { ...changes, target: owner === "listing" ? listingForPhotos : draftForPhotos };
  };
  return {
    add: operation({
      ...described,
      summary: `Add a photo to a ${owner}`,
      description: `Send the file as the body. ${description} The same file is added only once.`,
      params: idParams,
      fileTypes: photoTypes,
      mutation: "add photos",
      response: insertedSchema,
      errors: { ...uploadErrors, 404: notFound, 409: conflict },
      async handle({ request, context, viewer, params: { id } }) {
        if (owner === "draft") {
          const { findDraft } = await import("#app/features/listings/drafts.server.ts");
          if (!(await findDraft(context.db, viewer, id))) return problemDetails(404, notFound);
        }
        const { receivePhoto } = await import("../receive-photo.server.ts");
        const outcome = await receivePhoto(context, request, viewer, owner, id);
        if ("added" in outcome) return insertedResponse(outcome.added);
        return problemDetails(outcome.status, outcome.text, { headers: outcome.headers });
      },
    }),
    ofOne: {
      PUT: operation({
        ...ofPhoto,
        summary: `Move a ${owner}’s photo`,
        description: "By one place. The first photo is the cover.",
        body: z.object({ move: z.enum(["left", "right"]).describe("“left” moves it toward the first.") }),
        example: { move: "left" },
        response: modifiedCountSchema,
        async handle({ context: { db }, viewer, params: { id, photoId }, body }) {
          const { movePhoto, target } = await loadTarget();
          const moved = await movePhoto(db, target(db, viewer, id), photoId, body.move);
          return moved ? modifiedResponse(1) : problemDetails(404, noPhoto, unmodifiedFields);
        },
      }),
      DELETE: operation({
        ...ofPhoto,
        summary: `Delete a ${owner}’s photo`,
        response: deletedSchema,
        async handle({ context: { db, photoStorage, inBackground }, viewer, params: { id, photoId } }) {
          const { removePhoto, target } = await loadTarget();
          const removed = await removePhoto(db, target(db, viewer, id), photoId);
          if (!removed) return problemDetails(404, noPhoto, nothingDeleted);
          if (photoStorage) inBackground(() => deletePhotos(db, photoStorage, [photoId]));
          return deletedResponse();
        },
      }),
    },
  };
}
