import type { UIMatch } from "@remix-run/react";

export interface RouteHandle {
  /** The route shows a modal dialog, so toasts appear inside it: the page behind is inert. */
  dialog?: true;
  /** The image for link previews, as a path or URL. */
  picture?: (data: unknown) => string | null;
  /** The search words of a list; null if the page has no search form. */
  searchWords?: (data: unknown) => string | null;
}

export function handleOf({ handle }: UIMatch): RouteHandle {
  return (handle as RouteHandle | undefined) ?? {};
}
