import type { z } from "zod";
import { messageRefusalTexts, retryAfterOf } from "#app/features/messages/message.rules.ts";
import type { SendOutcome } from "#app/features/messages/send-message.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import type { sent } from "./message-records.ts";

/** Responds to a message that was sent or refused. */
export function sentResponse({ conversationId, refusal }: SendOutcome, notFoundText: string): Response {
  if (refusal === "not found") return problem(404, notFoundText);
  if (!refusal) return Response.json({ acknowledged: true, conversationId } satisfies z.infer<typeof sent>);
  const retryAfter = retryAfterOf(refusal);
  return retryAfter === undefined
    ? problem(409, messageRefusalTexts[refusal])
    : problem(429, messageRefusalTexts[refusal], { headers: { "Retry-After": String(retryAfter) } });
}
