import type { HeadersFunction } from "@remix-run/cloudflare";
import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** Shown if a form does not reach the server. */
export const networkErrorText = "We couldn’t reach the server. Check your connection and try again.";

/** Shown if the server does not reach the database. A write that timed out may have been carried out. */
export const outageText = "We’re having trouble right now. Try again in a few seconds.";

/** Sends the headers of a route's action, such as Retry-After, with the page. Routes export it as `headers`. */
export const actionHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Whether a form was refused or failed. Nothing was stored, so loaders need not run again. */
export function isRefused({ actionStatus = 200, actionResult }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus >= 400 || actionResult instanceof Error;
}

/**
 * Keeps a page's data after a refused form, unless the page is out of date (409). Routes export it as
 * `shouldRevalidate`.
 */
export function unlessRefused(args: ShouldRevalidateFunctionArgs): boolean {
  return args.actionStatus === 409 || (!isRefused(args) && args.defaultShouldRevalidate);
}
