// Public: all paths without a route. The root's error boundary shows the page.
export function loader(): never {
  throw new Response("Not found.", { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}
