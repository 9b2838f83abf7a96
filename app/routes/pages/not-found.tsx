// Public: any path that is nobody's. The page itself is the root's, as for a phone that does not exist.
export function loader(): never {
  throw new Response("Not found.", { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}
