import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import {
  addAccount,
  password,
  sharedServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let admin: Visitor;
beforeAll(async () => {
  server = await sharedServer();
  admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin", name: "Ana" })).email);
});
// The footer of the next file's pages is not to have them.
afterAll(() => unpublish("terms"));

const stranger = () => visitor(server);
const read = async (path: string, who = stranger()) => (await who.get(path)).text();

/** Submits the form of a page's editor as it is shown, with other values. */
async function submit(path: string, fields: Record<string, string>) {
  const html = await read(path, admin);
  const shown = ["title", "body", "base"].map((name) => [name, fieldValue(html, name) ?? ""]);
  return admin.post(path, { ...Object.fromEntries(shown), ...fields });
}

const publish = (path: string, fields: Record<string, string> = {}) =>
  submit(path, { intent: "published", ...fields });
const unpublish = (slug: string) => submit(`/manage/pages/${slug}`, { intent: "unpublished" });

test("an administrator writes a page: preview, draft, publish, history, restore, unpublish", async () => {
  const path = "/manage/pages/terms";
  expect(textOf(await read(path, admin))).toContain("Have your lawyer read this before you publish it.");
  expect((await stranger().get("/pages/terms")).status).toBe(404);

  const preview = await submit(path, { intent: "preview", title: "Our terms", body: "# Be <b>kind</b>" });
  const previewed = await preview.text();
  expect(preview.status).toBe(200);
  expect(previewed).toContain("<h2>Be &lt;b&gt;kind&lt;/b&gt;</h2>");
  expect([fieldValue(previewed, "title"), fieldValue(previewed, "body")]).toEqual([
    "Our terms",
    "# Be <b>kind</b>",
  ]);
  expect(textOf(await read(path, admin))).not.toContain("History");

  const draft = await submit(path, {
    intent: "draft",
    title: "Our terms",
    body: "Be **kind**.",
    inFooter: "on",
  });
  expect([draft.status, draft.headers.get("Location")]).toEqual([303, path]);
  expect((await stranger().get("/pages/terms")).status).toBe(404);
  expect((await publish(path, { inFooter: "on" })).status).toBe(303);
  const page = await read("/pages/terms");
  expect(page).toContain("<p>Be <strong>kind</strong>.</p>");
  expect(page).toContain(`<link rel="canonical" href="${server.url}/pages/terms"`);
  const linked = (html: string) =>
    tagsOf(html).some(({ attributes }) => attributes.get("href") === "/pages/terms");
  expect(linked(await read("/login"))).toBe(true);
  expect(await read("/sitemap/pages.xml")).toContain(`<loc>${server.url}/pages/terms</loc>`);

  // The first of two administrators who have opened it wins.
  const { base } = { base: fieldValue(await read(path, admin), "base") ?? "" };
  expect((await publish(path, { body: "Be honest." })).status).toBe(303);
  const late = await admin.post(path, { intent: "published", title: "Late", body: "Be late.", base });
  const refused = await late.text();
  expect([late.status, fieldValue(refused, "body")]).toEqual([409, "Be late."]);
  expect(textOf(refused)).toContain("Someone has saved a newer version.");
  expect(linked(await read("/login"))).toBe(false);

  const history = await read(path, admin);
  expect(textOf(history)).toMatch(/History Published by Ana .* Published by Ana .* Draft by Ana/);
  const versions = [...history.matchAll(/href="[^"]*\?version=([^"]+)"/g)].map(([, id]) => id);
  const earlier = `${path}?version=${versions[1]}`;
  expect(textOf(await read(earlier, admin))).toMatch(/This is the version of .* Publish it to bring it back/);
  expect((await publish(earlier)).status).toBe(303);
  expect(textOf(await read("/pages/terms"))).toContain("Be kind .");

  expect((await unpublish("terms")).status).toBe(303);
  expect((await stranger().get("/pages/terms")).status).toBe(404);
  expect(await read("/sitemap/pages.xml")).not.toContain("/pages/terms");
});

test("a new page takes its address from its title, which no other page has", async () => {
  const create = (fields: Record<string, string>, kind = "") =>
    submit(`/manage/pages/new${kind}`, { intent: "published", body: "Words", ...fields });
  const errors: [fields: Record<string, string>, error: string][] = [
    [{ title: "" }, "Write a title"],
    [{ title: "保証" }, "Use Latin letters or digits in the title"],
    [{ title: "x".repeat(81) }, "Title must be 80 characters or shorter"],
    [{ title: "Terms" }, "There’s a page with this title: choose another"],
    [{ title: "New" }, "There’s a page with this title: choose another"],
    [{ title: "Fine", body: " " }, "Write the text"],
  ];
  for (const [fields, error] of errors) {
    const response = await create(fields);
    expect([response.status, textOf(await response.text())]).toEqual([400, expect.stringContaining(error)]);
  }
  const created = await create({ title: "Why we repair" }, "?kind=post");
  expect(created.headers.get("Location")).toBe("/manage/pages/why-we-repair");
  const again = await create({ title: "Why we repair!", body: "Others" });
  expect([again.status, textOf(await again.text())]).toEqual([
    409,
    expect.stringContaining("There’s a page with this title: choose another"),
  ]);
  const blogs = await read("/blogs");
  expect(textOf(blogs)).toMatch(/What are the ways to manage state.* More posts Why we repair/);
  expect(blogs).toContain('href="/pages/why-we-repair"');
  expect((await unpublish("why-we-repair")).status).toBe(303);
  expect(textOf(await read("/blogs"))).not.toContain("More posts");
});

test("About us ends with what administrators add", async () => {
  expect((await publish("/manage/pages/about", { title: "Our team", body: "# Ana\n\nFixes." })).status).toBe(
    303,
  );
  const about = await read("/about");
  expect(about).toMatch(/Our team<\/h2>.*<h3>Ana<\/h3>/s);
  expect(textOf(about)).toMatch(/What we promise.* Our team Ana Fixes\./);
  await unpublish("about");
  expect(textOf(await read("/about"))).not.toContain("Our team");
});

test("sign-up links Terms and Privacy, and stores the version that its form showed", async () => {
  expect(await read("/signup")).not.toContain("/pages/terms");
  await publish("/manage/pages/terms");
  await publish("/manage/pages/privacy");
  const form = await read("/signup");
  expect(textOf(form)).toContain(
    "By signing up, you agree to our Terms . Privacy says what we do with your data.",
  );
  const ids = { terms: fieldValue(form, "terms") ?? "", privacy: fieldValue(form, "privacy") ?? "" };
  await publish("/manage/pages/terms", { body: "Newer terms" });
  const someone = stranger();
  const email = "accepting@example.com";
  await someone.post("/signup", { name: "Mia", email, password, ...ids });
  const [account] = await server.db.select().from(users).where(eq(users.email, email));
  expect([account?.termsVersionId, account?.privacyVersionId]).toEqual([ids.terms, ids.privacy]);
  const { profile } = JSON.parse(await (await someone.post("/manage/account/data")).text());
  expect(profile.acceptedTermsFrom).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  expect(await read(`/manage/users/${account?.id}`, admin)).toContain(
    `/manage/pages/terms?version=${ids.terms}`,
  );
  await unpublish("privacy");
});
