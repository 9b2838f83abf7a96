import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { fullPath, isInternalPath } from "../api/api-request.server.ts";
import { pageMethods } from "./security.server.ts";

/** Tells which methods a page has: each can be read, and those whose route has an action take forms, too. */
export function pageRouting(routes: ServerBuild["routes"]) {
  const pages = Object.entries(routes).flatMap(([id, route]) => {
    const path = fullPath(routes, id);
    return route && id !== "root" && !isInternalPath(path)
      ? [{ path, takesForms: !!route.module.action }]
      : [];
  });
  return (pathname: string): string[] => {
    const path = matchRoutes(pages, pathname)?.at(-1)?.route.path;
    // A layout and its index route share a path.
    const takesForms = pages.some((page) => page.path === path && page.takesForms);
    return pageMethods.filter((method) => method !== "POST" || takesForms);
  };
}
