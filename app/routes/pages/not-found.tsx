import { notFound } from "#app/server/http/responses.server.ts";

// Public: all paths without a route. The root's error boundary shows the page.
export function loader(): never {
  throw notFound();
}

export default function NotFoundRoute() {
  return null;
}
