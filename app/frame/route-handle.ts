import type { UIMatch } from "@remix-run/react";
import type { Permission } from "#app/features/accounts/permissions.ts";
import type { PageHandle } from "#app/server/http/page-routes.server.ts";
import type { UnreadCounts } from "./unread.server.ts";

/** The canonical URL of a page, with data for link previews. */
export interface Canonical {
  /** Path, and the query parameters that make it another page. */
  address: string;
  kind: "website" | "product" | "profile";
  feed?: { address: string; title: string };
}

interface CanonicalPage {
  params: UIMatch["params"];
  pathname: string;
  search: URLSearchParams;
  /** Undefined if the page shows an error. */
  data: unknown;
}

/**
 * Who may open a page. Menu, login page and tests read it, and the guard of a permission: such a handle is declared with
 * `satisfies`, so that its type is that permission.
 */
export type Access = "anyone" | "signed in" | "my sellings" | Permission;

/** What is true of a route, declared beside its component. The server reads its part of the built routes. */
export interface RouteHandle extends PageHandle {
  access: Access;
  /** Its entry in the dashboard's menu, in the order of the route table. */
  menu?: {
    label: string;
    /** What its badge counts. */
    counts?: keyof UnreadCounts;
    /** It is there only in a market with a payment provider. */
    needsProvider?: true;
  };
  /** The class of the body, for styles of header and footer that depend on the page. */
  bodyClass?: (data: unknown) => string | false;
  /** The page as search engines should know it. Pages without it are not indexed. */
  canonical?: (page: CanonicalPage) => Canonical | null;
  /**
   * The route shows a modal dialog, so toasts appear inside it: the page behind is inert. As a function of the data of
   * that page, where it depends.
   */
  dialog?: true | ((pageBehind: unknown) => boolean);
  /** The image for link previews, as a path or URL. */
  picture?: (data: unknown) => string | null;
  /** The search words of a list; null if the page has no search form. */
  searchWords?: (data: unknown) => string | null;
}

export function handleOf({ handle }: { handle?: unknown }): Partial<RouteHandle> {
  return (handle as RouteHandle | undefined) ?? {};
}

/** Whether a route shows a modal dialog, as a callback for matches. */
export function showsDialog(match: UIMatch, index: number, matches: UIMatch[]): boolean {
  const { dialog } = handleOf(match);
  return typeof dialog === "function" ? dialog(matches[index - 1]?.data) : dialog === true;
}
