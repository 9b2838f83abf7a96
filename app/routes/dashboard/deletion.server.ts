import type { AppLoadContext, TypedResponse } from "@remix-run/cloudflare";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";

/**
 * Answers a deletion, on the page it was asked for.
 *
 * @param removalId what undoing it takes, or null when nothing was deleted
 * @param message the specification's word for its success
 */
export function answerDeletion(
  context: AppLoadContext,
  request: Request,
  removalId: string | null,
  message: string,
): Promise<TypedResponse<never>> {
  return redirectWithToast(
    context,
    pageOf(request),
    removalId ? { kind: "success", message, undo: removalId } : nothingHappened,
  );
}

/** Said, and no more, when a table's button came too late or was nobody's to press. */
export const nothingHappened = {
  kind: "error",
  message: "That did not work. The list shows how things stand now.",
} as const;

/** The page a form of it was posted to, with its query: the same page of the same table. */
export function pageOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
