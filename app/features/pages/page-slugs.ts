/** The slug of the page that the page "About us" ends with. */
export const aboutSlug = "about";

/** The editor of a page that does not exist yet. */
export const newPageSlug = "new";

/** The slug of a new page: its title in lowercase Latin letters and digits; empty if there are none. */
export function pageSlugOf(title: string): string {
  const letters = title.normalize("NFKD").replaceAll(/[\u0300-\u036f’']/g, "");
  return letters
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

export function pagePath(slug: string): string {
  return slug === aboutSlug ? "/about" : `/pages/${slug}`;
}
