import { z } from "zod";
import { messageRefusalTexts, retryAfterOf } from "#app/features/messages/message.rules.ts";
import type { SendOutcome } from "#app/features/messages/send-message.server.ts";
import type { Question } from "#app/features/messages/warnings.server.ts";
import { type OfferRefusal, offerRefusalTexts, offerRetryAfter } from "#app/features/orders/offer.rules.ts";
import { photoLimitTexts } from "#app/features/photos/photo.rules.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import type { sent } from "./message-records.ts";
import { recordNames } from "./record-fields.ts";

export const acknowledgedSchema = z
  .object({ acknowledged: z.literal(true) })
  .register(recordNames, { id: "Acknowledged" });

export const acknowledgedResponse = () =>
  Response.json({ acknowledged: true } satisfies z.infer<typeof acknowledgedSchema>);

export const insertedSchema = z
  .object({ acknowledged: z.literal(true), insertedId: z.string() })
  .register(recordNames, { id: "Inserted" });

export const insertedResponse = (insertedId: string) =>
  Response.json({ acknowledged: true, insertedId } satisfies z.infer<typeof insertedSchema>);

/** Of a request with a file. */
export const uploadErrors = {
  400: "We can’t read the file, or it has too many pixels.",
  413: `The file is larger than ${photoLimitTexts.bytes}.`,
  415: "The body isn’t the file itself or of another type, or has no content type. `Accept` lists the types.",
  503: "Photos can’t be added right now.",
};

/** Added to the problem details if nothing is changed. */
export const unmodifiedFields = { modifiedCount: 0 };

export const modifiedCountSchema = z
  .object({
    acknowledged: z.literal(true),
    modifiedCount: z.int().min(0).max(1).describe("0 if there was nothing to change."),
  })
  .register(recordNames, { id: "Modified" });

export const modifiedResponse = (modifiedCount: number) =>
  Response.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof modifiedCountSchema>);

export const modifiedManySchema = z
  .object({ acknowledged: z.literal(true), modifiedCount: z.int().min(0) })
  .register(recordNames, { id: "ModifiedMany" });

export const modifiedManyResponse = (modifiedCount: number) =>
  Response.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof modifiedManySchema>);

export const idParams = z.object({ id: z.string() });
export const byEmail = z.object({ email: z.string() });

/** Added to the problem details if nothing is deleted. */
export const nothingDeleted = { deletedCount: 0 };

export const deletedSchema = z
  .object({ acknowledged: z.literal(true), deletedCount: z.literal(1) })
  .register(recordNames, { id: "Deleted" });

export const deletedResponse = () =>
  Response.json({ acknowledged: true, deletedCount: 1 } satisfies z.infer<typeof deletedSchema>);

/** Responds to an offer that was not made or answered. */
export function offerRefusalResponse(
  refusal: OfferRefusal | "not found",
  notFoundText: string,
  more?: Record<string, number>,
): Response {
  if (refusal === "not found") return problemDetails(404, notFoundText, more);
  const retryAfter = offerRetryAfter(refusal);
  return retryAfter === undefined
    ? problemDetails(409, offerRefusalTexts[refusal], more)
    : problemDetails(429, offerRefusalTexts[refusal], {
        ...more,
        headers: { "Retry-After": String(retryAfter) },
      });
}

/** Asks about the text of a message or an offer. */
export const questionResponse = ({ asked, text }: Question, more?: Record<string, number>) =>
  problemDetails(409, text, { ...more, asked, errors: [{ pointer: "#/text", detail: text }] });

/** Responds to a message that was sent or refused. */
export function messageResponse(
  { conversationId, refusal, question }: SendOutcome,
  notFoundText: string,
): Response {
  if (question) return questionResponse(question);
  if (refusal === "not found") return problemDetails(404, notFoundText);
  if (!refusal) return Response.json({ acknowledged: true, conversationId } satisfies z.infer<typeof sent>);
  const retryAfter = retryAfterOf(refusal);
  return retryAfter === undefined
    ? problemDetails(409, messageRefusalTexts[refusal])
    : problemDetails(429, messageRefusalTexts[refusal], { headers: { "Retry-After": String(retryAfter) } });
}
