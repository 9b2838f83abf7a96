import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { exifDescription, photoWithLocation } from "../harness/images.ts";
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

/** The values of a page's editor. */
const valuesIn = (html: string): Record<string, string> =>
  Object.fromEntries(["title", "body", "base"].map((name) => [name, fieldValue(html, name) ?? ""]));

/** Submits the form of a page's editor as it is shown, with other values. */
async function submit(path: string, fields: Record<string, string>) {
  return admin.post(path, { ...valuesIn(await read(path, admin)), ...fields });
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
    [{ title: "Terms" }, "Another page has this title. Choose a different one."],
    [{ title: "New" }, "Another page has this title. Choose a different one."],
    [{ title: "Fine", body: " " }, "Write the text"],
  ];
  for (const [fields, error] of errors) {
    const response = await create(fields);
    expect([response.status, textOf(await response.text())]).toEqual([400, expect.stringContaining(error)]);
  }
  // The form keeps the kind through previews, which may drop the query of its address.
  const isPost = '<option value="post" selected="">';
  expect(await read("/manage/pages/new?kind=post", admin)).toContain(isPost);
  const preview = await create({ title: "Why we repair", kind: "post", intent: "preview" });
  expect(await preview.text()).toContain(isPost);
  const created = await create({ title: "Why we repair", kind: "post" });
  expect(created.headers.get("Location")).toBe("/manage/pages/why-we-repair");
  const again = await create({ title: "Why we repair!", body: "Others" });
  expect([again.status, textOf(await again.text())]).toEqual([
    409,
    expect.stringContaining("Another page has this title. Choose a different one."),
  ]);
  const blogs = await read("/blogs");
  expect(textOf(blogs)).toMatch(/What are the ways to manage state.* More posts Why we repair/);
  expect(blogs).toContain('href="/pages/why-we-repair"');
  const published = { title: "Why we repair", kind: "page" };
  expect((await publish("/manage/pages/why-we-repair", published)).status).toBe(303);
  expect(textOf(await read("/blogs"))).not.toContain("More posts");
  expect((await stranger().get("/pages/why-we-repair")).status).toBe(200);
  expect((await unpublish("why-we-repair")).status).toBe(303);
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
  await publish("/manage/pages/terms", { body: "Terms" });
  await publish("/manage/pages/privacy", { body: "Privacy" });
  const form = await read("/signup");
  expect(textOf(form)).toContain(
    "By signing up, you agree to our Terms . See Privacy for how we use your data.",
  );
  const ids = { terms: fieldValue(form, "terms") ?? "", privacy: fieldValue(form, "privacy") ?? "" };
  await publish("/manage/pages/terms", { body: "Newer terms" });
  const someone = stranger();
  const email = "accepting@example.com";
  await someone.post("/signup", { name: "Mia", email, password, ...ids });
  const [account] = await server.db.select().from(users).where(eq(users.email, email));
  expect([account?.termsVersionId, account?.privacyVersionId]).toEqual([ids.terms, ids.privacy]);
  const { profile } = JSON.parse(await (await someone.post("/manage/account/export")).text());
  expect(profile.acceptedTermsFrom).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  expect(await read(`/manage/users/${account?.id}`, admin)).toContain(
    `/manage/pages/terms?version=${ids.terms}`,
  );
  await unpublish("privacy");
});

test("gaps in brackets are asked about once before they are published", async () => {
  const path = "/manage/pages/imprint";
  const asked = await publish(path, { body: "[Street], [City] and [links](/help)" });
  const page = await asked.text();
  expect([asked.status, textOf(page)]).toEqual([
    400,
    expect.stringContaining(
      "The text still has 2 gaps: [Street] and [City]. Fill them in, or press Publish again",
    ),
  ]);
  expect((await stranger().get("/pages/imprint")).status).toBe(404);
  const confirmed = [...page.matchAll(/name="confirmed" value="([^"]+)"/g)].map(([, gap = ""]) => gap);
  const again = (body: string) =>
    admin.post(path, [
      ...Object.entries({ ...valuesIn(page), body, intent: "published" }),
      ...confirmed.map((gap): [string, string] => ["confirmed", gap]),
    ]);
  expect(textOf(await (await again("[Street], [Phone]")).text())).toContain("2 gaps: [Street] and [Phone]");
  expect((await again("[Street] alone")).status).toBe(303);
  expect(textOf(await read("/pages/imprint"))).toContain("[Street] alone");
  await unpublish("imprint");
});

test("a picture goes through the checks of photos, and into the text", async () => {
  const path = "/manage/pages/why-pictures";
  await submit("/manage/pages/new", { intent: "draft", title: "Why pictures", body: "First words" });
  const add = async (file: Buffer | null, fields: Record<string, string> = {}) => {
    const form = new FormData();
    const values = {
      ...valuesIn(await read(path, admin)),
      intent: "picture",
      words: "Our [desk]",
      ...fields,
    };
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    if (file) form.set("picture", new Blob([new Uint8Array(file)]), "desk.jpg");
    const headers = { Origin: server.url, Accept: "text/html" };
    const response = await admin.send(path, { method: "POST", body: form, headers });
    return { status: response.status, html: await response.text() };
  };
  const good = await photoWithLocation();
  for (const [outcome, error] of [
    [await add(null), "Choose a picture first"],
    [await add(Buffer.from("<svg>")), "This isn’t a JPEG, PNG or WebP picture."],
    [await add(Buffer.alloc(9 * 1024 * 1024)), "This file is larger than 8 MB."],
    [await add(good, { words: "" }), "Say what the picture shows"],
  ] as const) {
    expect([outcome.status, textOf(outcome.html)]).toEqual([400, expect.stringContaining(error)]);
    expect(fieldValue(outcome.html, "body")).toBe("First words");
  }
  expect(textOf((await add(good, { words: "" })).html)).toContain("Choose your photos again");

  // The title may still be missing.
  const added = await add(good, { title: "", body: "Second words" });
  expect(added.status).toBe(200);
  const body = fieldValue(added.html, "body") ?? "";
  expect(body).toMatch(
    /^Second words\n\n!\[Our \\\[desk\\\]\]\(\/photos\/[\w-]+-1200x1067-page\/gallery\)\n$/,
  );
  const image = `<img src="${/\/photos[^)]+/.exec(body)?.[0]}" width="1200" height="1067" loading="lazy" alt="Our [desk]">`;
  expect(added.html).toContain(image);
  expect((await submit(path, { intent: "published", title: "Why pictures", body })).status).toBe(303);
  expect(await read("/pages/why-pictures")).toContain(image);

  const photoPath = /\/photos[^)]+/.exec(body)?.[0] ?? "";
  const shown = await stranger().get(photoPath);
  expect([shown.status, shown.headers.get("Cache-Control"), shown.headers.get("Content-Type")]).toEqual([
    200,
    "public, max-age=3600",
    "image/webp",
  ]);
  expect(Buffer.from(await shown.arrayBuffer()).toString("latin1")).not.toContain(exifDescription);

  // It stays with the page's history; one that no version shows goes after a day.
  await submit(path, { intent: "unpublished", body: "No picture" });
  const unused = /\/photos[^)]+/.exec(fieldValue((await add(good)).html, "body") ?? "")?.[0] ?? "";
  const bucket = await server.bucket();
  const statuses = async (hours: number) => {
    await cleanUpPhotos(server.db, { bucket }, new Date(Date.now() + hours * 60 * 60_000));
    return [(await stranger().get(photoPath)).status, (await stranger().get(unused)).status];
  };
  expect(await statuses(2)).toEqual([200, 200]);
  expect(await statuses(25)).toEqual([200, 404]);
});
