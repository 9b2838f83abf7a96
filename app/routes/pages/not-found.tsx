import type { RouteHandle } from "#app/frame/route-handle.ts";
import { notFound } from "#app/server/http/responses.server.ts";

export const handle: RouteHandle = { access: "anyone" };

// Public: all paths without a route.
export function loader(): never {
  throw notFound();
}

// Public: as above. With an action and a boundary of its own, a 404 after a form keeps the frame's data.
export const action = loader;

export default function NotFoundRoute() {
  return null;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
