/** A page's title and description for `meta`, for its tab, for search engines and for who shares it. */
export function pageTitle(title: string, description?: string) {
  const tags: (
    | { title: string }
    | { name: string; content: string }
    | { property: string; content: string }
  )[] = [{ title: `${title} · Ringback` }, { property: "og:title", content: title }];
  if (description) {
    tags.push({ name: "description", content: description });
    tags.push({ property: "og:description", content: description });
  }
  return tags;
}
