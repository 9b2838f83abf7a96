import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { blockOtherSide, unblockOtherSide } from "#app/features/messages/blocks.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { refusedForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";

const intents = {
  block: { run: blockOtherSide, message: "Person blocked" },
  unblock: { run: unblockOtherSide, message: "Person unblocked" },
};

/** Handles the buttons of a conversation that block and unblock its other side. */
export async function handleBlock(
  {
    context,
    request,
    viewer,
    form,
  }: { context: AppLoadContext; request: Request; viewer: Viewer; form: FormData },
  conversationId: string,
) {
  const intent = String(form.get("intent"));
  if (!Object.hasOwn(intents, intent)) throw badRequest();
  const limitRefusal = await rateLimitRefusal(context, "block", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const { run, message } = intents[intent as keyof typeof intents];
  if (!(await run(context.db, viewer, conversationId))) throw notFound();
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message });
}
