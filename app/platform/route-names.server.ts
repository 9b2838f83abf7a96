import type { ServerBuild } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";

/** Names requests by the pattern of their route, `/products/:phoneId`, since addresses may be personal. */
export function routeNames(routes: ServerBuild["routes"]) {
  const table = Object.values(routes).map(({ id }) => ({ id, path: patternOf(routes, id) }));

  /** @returns `/*` for what leads nowhere */
  return function routeName({ url }: Request): string {
    const pathname = new URL(url).pathname.replace(/^\/_root\.data$/, "/").replace(/\.data$/, "");
    if (/%(?![0-9a-f]{2})/i.test(pathname)) return "/*";
    return matchRoutes(table, pathname)?.at(-1)?.route.path ?? "/*";
  };
}

/** A route's whole pattern, from the root. */
function patternOf(routes: ServerBuild["routes"], id: string): string {
  const steps: string[] = [];
  for (let route = routes[id]; route; route = route.parentId ? routes[route.parentId] : undefined) {
    if (route.path) steps.unshift(route.path.replace(/^\//, ""));
  }
  return `/${steps.filter(Boolean).join("/")}`;
}
