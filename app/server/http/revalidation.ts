import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** Whether a form was refused, or did not get through. Nothing was stored then, and loaders may fail as well. */
export function isRefused({ actionStatus = 200, actionResult }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus >= 400 || actionResult instanceof Error;
}

/** Keeps a page's data after a refused form, whose answer has the errors. Routes export it as `shouldRevalidate`. */
export function unlessRefused(args: ShouldRevalidateFunctionArgs): boolean {
  return !isRefused(args) && args.defaultShouldRevalidate;
}
