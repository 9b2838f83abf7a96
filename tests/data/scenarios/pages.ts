import assert from "node:assert/strict";
import { asc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, pageVersions, users } from "#app/db/schema.ts";
import { createAccount } from "#app/features/accounts/sign-up.server.ts";
import {
  findAgreement,
  findPageToEdit,
  findPublishedPage,
  listPages,
  listPublishedPages,
  savePage,
} from "#app/features/pages/pages.server.ts";
import { addAccount, password } from "../../harness/fixtures.ts";

const terms = { slug: "terms", kind: "page", title: "Terms", body: "One", inFooter: true } as const;

export const aPageIsTheNewestOfItsVersions = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin", name: "Ana" });
  const shipped = await findPageToEdit(db, "terms", null);
  assert.deepEqual([shipped?.isSuggestion, shipped?.isPublished, shipped?.versions], [true, false, []]);
  assert.equal(await findPageToEdit(db, "constructor", null), null);
  const newest = async () => (await findPageToEdit(db, "terms", null))?.versions[0]?.id ?? null;
  const save = async (body: string, state: "draft" | "published" | "unpublished", base?: string | null) =>
    savePage(db, admin, { ...terms, body, state, base: base === undefined ? await newest() : base });
  const visible = async () => {
    const listed = (await listPublishedPages(db)).map(({ slug, title }) => `${slug} ${title}`);
    return [(await findPublishedPage(db, "terms"))?.html.trim(), ...listed];
  };

  assert.equal(await save("One", "draft"), null);
  assert.deepEqual(await visible(), [undefined]);
  assert.equal(await save("One", "published"), null);
  assert.deepEqual(await visible(), ["<p>One</p>", "terms Terms"]);
  const [first] = (await listPublishedPages(db)).map(({ id }) => id);
  const opened = await newest();
  assert.equal(await save("Two", "draft"), null);
  // Another administrator had opened the page before; one form is stored once.
  assert.equal(await save("Three", "published", opened), "changed");
  assert.equal(await save("Two", "draft", opened), null);
  assert.equal(await save("Three", "published", null), "changed");
  assert.deepEqual(await visible(), ["<p>One</p>", "terms Terms"]);
  const [listed] = (await listPages(db)).filter(({ slug }) => slug === "terms");
  assert.deepEqual([listed?.isPublished, listed?.hasDraft, listed?.isSuggested], [true, true, false]);
  assert.equal(await save("Two", "published"), null);
  assert.deepEqual(await visible(), ["<p>Two</p>", "terms Terms"]);

  // The first version again.
  const earlier = await findPageToEdit(db, "terms", first ?? "");
  assert.equal(earlier?.text.body, "One");
  assert.equal(await save(earlier.text.body, "published"), null);
  assert.deepEqual(await visible(), ["<p>One</p>", "terms Terms"]);
  assert.equal(await save("One", "unpublished"), null);
  assert.deepEqual(await visible(), [undefined]);
  assert.equal(await findPageToEdit(db, "help", first ?? ""), null);

  const { versions = [] } = (await findPageToEdit(db, "terms", null)) ?? {};
  assert.deepEqual(
    versions.map(({ state, author }) => `${state} ${author}`).reverse(),
    ["draft", "published", "draft", "published", "published", "unpublished"].map((state) => `${state} Ana`),
  );
  const logged = await db.select().from(activity).orderBy(asc(activity.id));
  assert.deepEqual(
    logged.map(({ action, target }) => `${action}: ${target}`),
    ["published page: Terms", "published page: Terms", "published page: Terms", "unpublished page: Terms"],
  );
};

export const signUpStoresTheVersionsThatItsFormShowed = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  await savePage(db, admin, { ...terms, state: "published", base: null });
  const shown = await findAgreement(db);
  assert.ok(shown.terms);
  assert.equal(shown.privacy, null);
  await savePage(db, admin, { ...terms, body: "Two", state: "draft", base: shown.terms });
  const [draft] = await db.select().from(pageVersions).where(eq(pageVersions.state, "draft"));
  await savePage(db, admin, { ...terms, body: "Two", state: "published", base: draft?.id ?? null });
  const accepted = async (email: string, agreement?: { terms: string | null; privacy: string | null }) => {
    await createAccount(db, { name: "Mia", email, password, userType: "Buyer", agreement });
    const [account] = await db.select().from(users).where(eq(users.email, email));
    return [account?.termsVersionId, account?.privacyVersionId];
  };
  assert.deepEqual(await accepted("one@example.com", shown), [shown.terms, null]);
  // A program that signs up has seen none; nor was a draft shown, or the terms as another page.
  assert.deepEqual(await accepted("two@example.com"), [null, null]);
  const forged = { terms: draft?.id ?? null, privacy: shown.terms };
  assert.deepEqual(await accepted("three@example.com", forged), [null, null]);
};
