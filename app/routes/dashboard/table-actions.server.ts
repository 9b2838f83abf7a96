import type { AppLoadContext, TypedResponse } from "@remix-run/cloudflare";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";

/** Redirects back to the page after a deletion, with a toast that can undo it. */
export function redirectAfterDeletion(
  context: AppLoadContext,
  request: Request,
  removalId: string | null,
  message: string,
): Promise<TypedResponse<never>> {
  return redirectWithToast(
    context,
    pathAndQuery(request),
    removalId ? { kind: "success", message, undo: removalId } : deletionFailedToast,
  );
}

/** The toast if a button of a table came too late or was not permitted. */
export const deletionFailedToast = {
  kind: "error",
  message: "This could not be done. The page now shows the current state.",
} as const;

/** The path and query of a request, such as a certain page of a table. */
export function pathAndQuery(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
