import { and, desc, eq, isNull, max, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { PageKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { isOutage } from "#app/db/outage.ts";
import { pageVersions, users } from "#app/db/schema.ts";
import { market } from "#app/market.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { addActivity } from "../audit/activity.server.ts";
import { pagePictureId, photoUrl } from "../photos/photo.rules.ts";
import { type PhotoStorage, putPhoto } from "../photos/photo-objects.server.ts";
import type { PhotoRefusal } from "../photos/photo-refusals.ts";
import type { PageFields } from "./page.schema.ts";
import { newPageSlug, pageSlugOf } from "./page-slugs.ts";

/** Loaded on demand: few requests need it. */
export const loadMarkdown = () => import("./markdown.server.ts");

const loadSuggestions = () => import("./suggested-pages.server.ts");

/** Versions that the editor lists. */
const shownVersions = 50;

const isNotDraft = ne(pageVersions.state, "draft");

/** A page without its text. */
const listedColumns = {
  // In a query with `max`, SQLite takes the other columns from the same row.
  id: max(pageVersions.id).mapWith(String),
  slug: pageVersions.slug,
  kind: pageVersions.kind,
  state: pageVersions.state,
  title: pageVersions.title,
  inFooter: pageVersions.inFooter,
  createdAt: pageVersions.createdAt,
};

/** The newest version of each page, or of those that meet a condition. */
const newestVersions = (db: Db, condition?: SQL) =>
  db.select(listedColumns).from(pageVersions).where(condition).groupBy(pageVersions.slug);

type PublishedPage = Awaited<ReturnType<typeof newestVersions>>[number];

/** How long an isolate uses the list of published pages that it has read. Its own writes end it. */
const publishedPagesMs = 60_000;

let publishedPages: { pages: PublishedPage[]; readAt: number } = { pages: [], readAt: 0 };

/**
 * The published pages by title, from the isolate's memory for up to a minute: each page's footer needs them. While the
 * database is unreachable, those that were read last.
 */
export async function listPublishedPages(db: Db): Promise<PublishedPage[]> {
  if (Date.now() - publishedPages.readAt < publishedPagesMs) return publishedPages.pages;
  try {
    const rows = await newestVersions(db, isNotDraft);
    const pages = rows
      .filter(({ state }) => state === "published")
      .sort((one, other) => one.title.localeCompare(other.title));
    publishedPages = { pages, readAt: Date.now() };
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
  return publishedPages.pages;
}

/** The pages that the footer of each page links. */
export async function listFooterPages(db: Db) {
  const pages = await listPublishedPages(db);
  return pages.filter(({ inFooter }) => inFooter).map(({ slug, title }) => ({ slug, title }));
}

/** What people accept when they sign up: the ids of published versions. */
export async function findAgreement(db: Db) {
  const pages = await listPublishedPages(db);
  const idOf = (wanted: string) => pages.find(({ slug }) => slug === wanted)?.id ?? null;
  return { terms: idOf("terms"), privacy: idOf("privacy") };
}

/** A published page, with its text as HTML; null if there is none. @param top the level of its highest heading */
export async function findPublishedPage(db: Db, slug: string, top?: number) {
  const [page] = await db
    .select()
    .from(pageVersions)
    .where(and(eq(pageVersions.slug, slug), isNotDraft))
    .orderBy(desc(pageVersions.id))
    .limit(1);
  if (page?.state !== "published") return null;
  const { kind, title, body, createdAt } = page;
  const { renderMarkdown } = await loadMarkdown();
  return { slug, kind, title, html: renderMarkdown(body, top), createdAt };
}

/** All pages for those who write them, also the suggested ones that nobody has saved yet. */
export async function listPages(db: Db) {
  const [written, shown] = await db.batch([newestVersions(db), newestVersions(db, isNotDraft)]);
  const published = new Set(shown.filter(({ state }) => state === "published").map(({ slug }) => slug));
  const { suggestPages } = await loadSuggestions();
  const suggested = suggestPages(false)
    .filter(({ slug }) => !written.some((page) => page.slug === slug))
    .map((page) => ({ ...page, kind: "page" as PageKind, state: "suggested" as const }));
  return [...suggested, ...written]
    .map(({ slug, title, kind, state }) => ({
      slug,
      title,
      kind,
      isSuggested: state === "suggested",
      isPublished: published.has(slug),
      hasDraft: state === "draft",
    }))
    .sort((one, other) => one.title.localeCompare(other.title));
}

export type ListedPage = Awaited<ReturnType<typeof listPages>>[number];

/**
 * A page as its editor shows it, with its history.
 *
 * @param versionId of an earlier version, which the editor then starts from
 * @param isProtected whether the market has a payment provider, which a suggested page then speaks of
 * @returns null if there is no such page or version
 */
export async function findPageToEdit(db: Db, slug: string, versionId: string | null, isProtected = false) {
  const [versions, [chosen], [shown]] = await db.batch([
    db
      .select({
        id: pageVersions.id,
        state: pageVersions.state,
        createdAt: pageVersions.createdAt,
        author: sql<string>`coalesce(${users.name}, ${formerMember})`.as("author"),
      })
      .from(pageVersions)
      .leftJoin(users, and(eq(users.id, pageVersions.authorId), isNull(users.removalId)))
      .where(eq(pageVersions.slug, slug))
      .orderBy(desc(pageVersions.id))
      .limit(shownVersions),
    db
      .select()
      .from(pageVersions)
      .where(and(eq(pageVersions.slug, slug), versionId ? eq(pageVersions.id, versionId) : undefined))
      .orderBy(desc(pageVersions.id))
      .limit(1),
    newestVersions(db, and(eq(pageVersions.slug, slug), isNotDraft)),
  ]);
  const { suggestPages } = await loadSuggestions();
  const suggested = suggestPages(isProtected).find((page) => page.slug === slug);
  const suggestion = suggested && { ...suggested, kind: "page" as PageKind };
  const text = chosen ?? (versionId || versions.length > 0 ? undefined : suggestion);
  if (!text) return null;
  const { title, body, inFooter, kind } = text;
  const { renderMarkdown } = await loadMarkdown();
  return {
    slug,
    text: { kind, title, body, inFooter },
    html: renderMarkdown(body),
    versions,
    /** What the form starts from. */
    versionId: chosen?.id ?? null,
    isPublished: shown?.state === "published",
    /** Nobody has decided about our own suggestion. */
    isSuggestion: suggested !== undefined && !shown,
  };
}

/** The slug of a new page; null if it belongs to something that need not have a row. */
export async function freePageSlug(title: string): Promise<string | null> {
  const slug = pageSlugOf(title);
  const { suggestPages } = await loadSuggestions();
  return slug === newPageSlug || suggestPages(false).some((page) => page.slug === slug) ? null : slug;
}

/** What is asked before a text with gaps is published. */
export function gapsQuestion(gaps: string[]): string {
  const named = gaps.slice(0, 3).map((gap) => (gap.length > 40 ? `${gap.slice(0, 38)}…]` : gap));
  const more = gaps.length > named.length ? [`${gaps.length - named.length} more`] : [];
  const list = new Intl.ListFormat(market.locale).format([...named, ...more]);
  return gaps.length === 1
    ? `The text still has a gap: ${list}. Fill it in, or press Publish again to leave it.`
    : `The text still has ${gaps.length} gaps: ${list}. Fill them in, or press Publish again to leave them.`;
}

/**
 * Adds a version of a page.
 *
 * @param base the newest version when the form was opened; null for a new page
 * @returns "changed" if there is another newest version now; null if the version is stored, also by an
 *   earlier request of the same form
 */
export async function savePage(
  db: Db,
  author: Viewer,
  { slug, kind, state, base, ...text }: PageFields & NewVersion,
): Promise<"changed" | null> {
  const newest = sql`(select max(${pageVersions.id}) from ${pageVersions} where ${pageVersions.slug} = ${slug})`;
  const version = { slug, kind, state, ...text, authorId: author.id };
  const refusal = await batchUnless(db, { changed: sql`${newest} is ${base}` }, [
    db.insert(pageVersions).values(version),
    // The history shows drafts.
    ...(state === "draft" ? [] : [addActivity(db, author, `${state} page`, slug, text.title)]),
  ]);
  publishedPages.readAt = 0;
  if (!refusal) return null;
  const same = Object.entries(version).map(([name, value]) =>
    eq(pageVersions[name as keyof typeof version], value),
  );
  const [stored] = await db
    .select({ id: pageVersions.id })
    .from(pageVersions)
    .where(and(eq(pageVersions.id, newest), ...same));
  return stored ? null : refusal;
}

interface NewVersion extends Pick<typeof pageVersions.$inferInsert, "slug" | "kind" | "state"> {
  base: string | null;
}

/**
 * Stores a picture for the text of a page. It stays as long as a version of a page shows it, see `cleanUpPhotos`.
 *
 * @param words what it shows
 * @returns the picture in Markdown
 */
export async function storePagePicture(
  storage: PhotoStorage | null,
  { file, words, reference }: { file: File; words: string; reference: string },
): Promise<{ markdown: string } | { refusal: PhotoRefusal }> {
  if (!storage) return { refusal: "unavailable" };
  const { readPhoto } = await import("../photos/photo-changes.server.ts");
  const photo = await readPhoto(storage, new Uint8Array(await file.arrayBuffer()), reference);
  if ("refusal" in photo) return photo;
  const id = pagePictureId(randomToken(), photo);
  await putPhoto(storage, id, photo);
  return { markdown: `![${words.replaceAll(/[\\[\]]/g, "\\$&")}](${photoUrl(id, "gallery")})` };
}
