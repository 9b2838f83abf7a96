import type { UIMatch } from "@remix-run/react";

/** What a route may export as its `handle`. */
export interface RouteHandle {
  /** The route shows a modal dialog, so messages appear inside of it: the page behind is inert. */
  dialog?: true;
  /** The picture that stands for the page when it is shared, as a path or a URL, from the data of the route's loader. */
  picture?: (data: unknown) => string | null;
  /** What a list is searched for, from the data of the route's loader; null while the page has no form for it. */
  searchWords?: (data: unknown) => string | null;
}

export function handleOf({ handle }: UIMatch): RouteHandle {
  return (handle as RouteHandle | undefined) ?? {};
}
