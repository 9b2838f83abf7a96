import { photoLimits, photoTypes } from "#app/features/photos/photo.rules.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { receivePhoto } from "../receive-photo.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, insertedResponse, insertedSchema, uploadErrors } from "./results.ts";

const route = defineApiRoute({
  POST: operation({
    tag: "Bookings",
    summary: "Add a photo to a problem",
    description: `Whoever reported the problem can add up to ${photoLimits.problem} photos until it’s settled. Send the file as the body. The same file is added only once.`,
    access: "signed in",
    params: byId,
    fileTypes: photoTypes,
    mutation: "order problem",
    response: insertedSchema,
    errors: {
      ...uploadErrors,
      404: "You’ve reported no such problem.",
      409: "The problem is settled, or already has all its photos.",
    },
    async handle({ request, context, viewer, params }) {
      const outcome = await receivePhoto(context, request, viewer, "problem", params.id);
      if ("added" in outcome) return insertedResponse(outcome.added);
      return problem(outcome.status, outcome.text, { headers: outcome.headers });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
