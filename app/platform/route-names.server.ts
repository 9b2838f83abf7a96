import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";

/** Names requests by the pattern of their route, `/products/:phoneId`, since addresses may be personal. */
export function routeNames(routes: ServerBuild["routes"]) {
  const table = Object.values(routes).map(({ id }) => ({ id, path: patternOf(routes, id) }));

  /** @returns `/*` for what leads nowhere */
  return function routeName({ url }: Request): string {
    const address = new URL(url);
    if (!isReadable(address)) return "/*";
    const pathname = address.pathname.replace(/^\/_root\.data$/, "/").replace(/\.data$/, "");
    return matchRoutes(table, pathname)?.at(-1)?.route.path ?? "/*";
  };
}

/** Tells which routes a page is made of, by its pattern: their ids, from the root on. */
export function pageParts(routes: ServerBuild["routes"]) {
  const parts = new Map<string, string[]>();
  for (const { id } of Object.values(routes)) {
    const pattern = patternOf(routes, id);
    const known = parts.get(pattern) ?? [];
    parts.set(pattern, [...new Set([...known, ...lineOf(routes, id).map((route) => route.id)])]);
  }
  return (pattern: string): string[] => parts.get(pattern) ?? [];
}

/** A route's whole pattern, from the root. */
function patternOf(routes: ServerBuild["routes"], id: string): string {
  const steps = lineOf(routes, id).map(({ path = "" }) => path.replace(/^\//, ""));
  return `/${steps.filter(Boolean).join("/")}`;
}

/** A route and those above it, from the root on. */
function lineOf(routes: ServerBuild["routes"], id: string) {
  const line = [];
  for (let route = routes[id]; route; route = route.parentId ? routes[route.parentId] : undefined) {
    line.unshift(route);
  }
  return line;
}

/** Whether a path can be decoded. Remix's router would write any other to the log, with whatever it holds. */
export function isReadable({ pathname }: URL): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
