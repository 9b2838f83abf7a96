import type { HeadersFunction } from "@remix-run/cloudflare";

/** Passes the headers of a route's action, such as Retry-After, on to the page. Routes export it as `headers`. */
export const actionHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;
