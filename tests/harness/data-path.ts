import { matchRoutes } from "@remix-run/react";
import routes from "#app/routes.ts";

/**
 * The URL of a Remix data request to one route's loader or action: `/products?_data=products`.
 *
 * @param routeId the id in `app/routes.ts`; by default that of the innermost route at the path
 */
export function dataPath(path: string, routeId = innermostRoute(path)): string {
  return `${path}${path.includes("?") ? "&" : "?"}_data=${encodeURIComponent(routeId)}`;
}

function innermostRoute(path: string): string {
  const { pathname } = new URL(path, "http://localhost");
  const id = matchRoutes(routes as Parameters<typeof matchRoutes>[0], pathname)?.at(-1)?.route.id;
  if (!id) throw new Error(`No route with an id matches ${path}.`);
  return id;
}
