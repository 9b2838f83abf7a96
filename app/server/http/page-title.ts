import { isRouteErrorResponse } from "@remix-run/react";
import { brand } from "#app/brand.ts";

const errorTitles: Record<number, string> = { 404: "Page not found", 503: "Temporarily unavailable" };

/** The title of the error pages of refused requests. */
export const refusedTitle = "That didn’t work";

/** The title of a thrown response's error page; null for any other error. */
export function errorTitle(error: unknown): string | null {
  return isRouteErrorResponse(error) ? (errorTitles[error.status] ?? refusedTitle) : null;
}

/** The `meta` tags of a page's title and description, also for link previews. */
export function pageTitle(title: string, description?: string) {
  const tags: (
    | { title: string }
    | { name: string; content: string }
    | { property: string; content: string }
  )[] = [{ title: `${title} · ${brand.name}` }, { property: "og:title", content: title }];
  if (description) {
    tags.push({ name: "description", content: description });
    tags.push({ property: "og:description", content: description });
  }
  return tags;
}
