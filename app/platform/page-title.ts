/** A page's title and description for `meta`. */
export function pageTitle(title: string, description?: string) {
  const tags: ({ title: string } | { name: string; content: string })[] = [{ title: `${title} · Ringback` }];
  if (description) tags.push({ name: "description", content: description });
  return tags;
}
