import type { HeadersFunction } from "@remix-run/cloudflare";
import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** Said when a form did not get through: from the browser to us, or from us to the database. */
export const networkFailed = "The network failed. Try again in a moment.";

/** Passes the headers of a route's action, such as Retry-After, on to the page. Routes export it as `headers`. */
export const actionHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Whether a form was refused, or did not get through. Nothing was stored then, and loaders may fail as well. */
export function isRefused({ actionStatus = 200, actionResult }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus >= 400 || actionResult instanceof Error;
}

/** Keeps a page's data after a refused form, whose answer has the errors. Routes export it as `shouldRevalidate`. */
export function unlessRefused(args: ShouldRevalidateFunctionArgs): boolean {
  return !isRefused(args) && args.defaultShouldRevalidate;
}
