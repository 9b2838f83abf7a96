import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * Keeps a page's data after a refused form: its answer has the errors, and nothing was stored. It also keeps the page
 * when the network fails, since loaders would fail as well. Routes export it as `shouldRevalidate`.
 */
export function unlessRefused({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus !== undefined && actionStatus >= 400 ? false : defaultShouldRevalidate;
}
