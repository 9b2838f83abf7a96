import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { fullPath, isInternalPath } from "../api/api-request.server.ts";
import { isRoutable } from "./paths.ts";

/** What a page route's `handle` says to the server. */
export interface PageHandle {
  /** The page is in the edge cache, so its loader must not read who is signed in. */
  cached?: {
    /** The query parameters that change the page, in a canonical order: empty or starting with `?`. */
    search?: (parameters: URLSearchParams) => string;
    /** False if the page differs between signed-in users. */
    forSignedIn?: false;
  };
  /** Its form has files, maybe beside fields that a person fills in. */
  uploads?: "files" | "fields and files";
  /** False if robots.txt keeps crawlers away. */
  crawled?: false;
}

/** A route that is not of the API. */
export interface PageRoute {
  /** As in the route table, with the parents' paths: `/products/:phoneid`. */
  path: string;
  /** Its own id, and those of its parents before it. */
  ids: string[];
  takesForms: boolean;
  handle: PageHandle;
}

/** The pages in the order of the route table, and the one at a path. */
export function pageRoutes(routes: ServerBuild["routes"]) {
  const all = Object.entries(routes).flatMap(([id, route]): PageRoute[] => {
    const path = fullPath(routes, id) || "/";
    if (!route || id === "root" || isInternalPath(path)) return [];
    const { handle, action } = route.module;
    return [{ path, ids: idsOf(routes, id), takesForms: !!action, handle: (handle ?? {}) as PageHandle }];
  });
  return {
    all,
    at(pathname: string): PageRoute | undefined {
      const path = isRoutable(pathname) ? matchRoutes(all, pathname)?.at(-1)?.route.path : undefined;
      // A layout and its index route share a path.
      return all.findLast((page) => page.path === path);
    },
  };
}

export type PageRoutes = ReturnType<typeof pageRoutes>;

function idsOf(routes: ServerBuild["routes"], id: string): string[] {
  const parentId = routes[id]?.parentId;
  return parentId && parentId !== "root" ? [...idsOf(routes, parentId), id] : [id];
}
