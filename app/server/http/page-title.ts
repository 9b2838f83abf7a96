import { isRouteErrorResponse } from "@remix-run/react";
import { brand } from "#app/brand.ts";

const errorTitles: Record<number, string> = { 404: "Page not found", 503: "Back in a moment" };

/** The title of a page that shows a thrown response; null for any other error, or none. */
export function errorTitle(error: unknown): string | null {
  return isRouteErrorResponse(error) ? (errorTitles[error.status] ?? "Not understood") : null;
}

/** A page's title and description for `meta`, for its tab, for search engines and for who shares it. */
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
