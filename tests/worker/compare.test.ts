import { beforeAll, expect, test } from "vitest";
import { dataPath } from "../harness/data-path.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import { addSales } from "../harness/sales.ts";
import {
  addAccount,
  addPhone,
  type Phone,
  sharedServer,
  type TestServer,
  visitor,
} from "../harness/server.ts";

const unknownId = "00000000-0000-7000-8000-000000000000";
const secretAddress = "ada.secret@example.com";
const cut = "You can compare four at a time. Here are the first four.";
const oneIsGone = "1 device is gone, so we left it out.";

let server: TestServer;
let phones: Phone[];

beforeAll(async () => {
  server = await sharedServer();
  const { id: sellerId } = await addAccount(server.db, {
    userType: "Seller",
    name: "Ada Ström",
    email: secretAddress,
    verified: true,
  });
  phones = [];
  for (const model of ["A", "B", "C", "D", "E"]) phones.push(await addPhone(server.db, { sellerId, model }));
});

const idsOf = (names: string) => [...names].map((name) => phones["ABCDE".indexOf(name)]?.id ?? "");
const addressOf = (names: string) => `/compare?ids=${idsOf(names).join("&ids=")}`;

async function pageAt(path: string) {
  const response = await visitor(server).get(path);
  expect(response.status, path).toBe(200);
  const html = await response.text();
  const tags = tagsOf(html);
  const links = tags
    .filter(({ name }) => name === "a")
    .map(({ attributes }) => ({ to: attributes.get("href") ?? "", label: attributes.get("aria-label") }));
  const rows = [...html.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(
    ([, name = "", cells = ""]) => [
      textOf(name).trim(),
      ...cells
        .split("</td>")
        .slice(0, -1)
        .map((cell) => textOf(cell).trim()),
    ],
  );
  return {
    html,
    tags,
    rows,
    row: (name: string) => rows.find(([own]) => own?.startsWith(name)),
    text: textOf(html),
    links: links.map(({ to }) => to),
    removing: (name: string) => links.find(({ label }) => label === `Remove Fairphone ${name}`)?.to,
    columns: [...html.matchAll(/<th id="[^"]+" scope="col">(.*?)<\/th>/gs)].map(([, head = ""]) =>
      textOf(head).trim(),
    ),
  };
}

const names = (models: string) => [...models].map((model) => `Fairphone ${model}`);

test("phones are compared in the order of the ids, each once and at most four", async () => {
  for (const [requested, shown, isCut] of [
    ["AB", "AB", false],
    ["CA", "CA", false],
    ["BABB", "BA", false],
    ["DCBA", "DCBA", false],
    ["AADCBA", "ADCB", false],
    ["EDCBA", "EDCB", true],
  ] as const) {
    const page = await pageAt(addressOf(requested));
    expect([requested, page.columns]).toEqual([requested, names(shown)]);
    expect([requested, page.text.includes(cut)]).toEqual([requested, isCut]);
    expect([requested, page.text.includes("we left")]).toEqual([requested, false]);
  }
  expect((await pageAt(`/compare?ids=${idsOf("BA").join()}`)).columns).toEqual(names("BA"));
});

test("a comparison shows all values, marks better ones, and links to the listings", async () => {
  const other = await addPhone(server.db, {
    model: "other",
    sellingCents: 50_000,
    condition: "Good",
    batteryHealth: 91,
    status: "reserved",
  });
  await addSales(server.db, { brandName: "Fairphone", model: "other" }, [30_000, 34_000, 38_000]);
  const [first] = phones;
  const page = await pageAt(`/compare?ids=${first?.id}&ids=${other.id}`);
  expect(page.rows.map(([name]) => name)).toEqual([
    "Price",
    "Usual price",
    "Storage",
    "RAM",
    "Condition",
    "Battery health",
    "Processor",
    "Camera",
    "Battery",
    "OS",
    "Device type",
    "Used for",
    "Seller",
    "Status",
  ]);
  expect(page.row("Price")?.slice(1)).toEqual(["$349.50 , the better value", "$500"]);
  expect(page.row("Usual price")?.slice(1)).toEqual(["Not known yet", "$160 above the usual price"]);
  expect(page.row("Condition")?.slice(1)).toEqual(["Not stated", "Good"]);
  expect(page.row("Battery health")?.slice(1)).toEqual(["Not stated", "91%"]);
  expect(page.row("Seller")?.[1]).toBe("Ada Ström Verified seller");
  expect(page.row("Status")?.slice(1)).toEqual(["Available", "Reserved"]);
  expect(page.text).toContain("6 differences. Better values are marked");
  expect(page.links).toEqual(
    expect.arrayContaining([
      `/phones/${first?.id}`,
      `/phones/${other.id}`,
      `/sellers/${first?.sellerId}`,
      `/products/${first?.id}/book`,
      `/compare?ids=${first?.id}`,
      `/compare?ids=${other.id}`,
    ]),
  );
  expect(page.links).not.toContain(`/products/${other.id}/book`);
  const data = await visitor(server).get(dataPath(`/compare?ids=${first?.id}`));
  expect(page.html + (await data.text())).not.toContain(secretAddress);
});

test("differences only can be shown, and phones are removed one by one", async () => {
  const plain = await pageAt(addressOf("ABC"));
  const onlyDifferences = `${addressOf("ABC")}&differences=yes`;
  expect(plain.links).toContain(onlyDifferences);
  expect(plain.removing("B")).toBe(addressOf("AC"));
  const page = await pageAt(onlyDifferences);
  expect(page.columns).toEqual(names("ABC"));
  expect(page.rows).toEqual([]);
  expect(page.text).toContain("No differences in 11 details");
  expect(page.links).toContain(addressOf("ABC"));
  expect(page.removing("A")).toBe(`${addressOf("BC")}&differences=yes`);
});

test("removed and unknown phones are left out, and sold ones are shown as sold", async () => {
  const removed = await addPhone(server.db, { hiddenById: "some removal" });
  const sold = await addPhone(server.db, { model: "sold", status: "sold" });
  for (const gone of [removed.id, unknownId]) {
    const page = await pageAt(`/compare?ids=${idsOf("A")}&ids=${gone}&ids=${sold.id}`);
    expect(page.text).toContain(oneIsGone);
    expect(page.columns).toEqual(["Fairphone A", "Fairphone sold"]);
    expect(page.row("Status")?.slice(1)).toEqual(["Available", "Sold"]);
    expect(page.links).not.toContain(`/products/${sold.id}/book`);
    expect(page.html).not.toContain(`ids=${gone}`);
  }
  const both = await pageAt(`${addressOf("AB")}&ids=${removed.id}&ids=${unknownId}`);
  expect(both.text).toContain("2 devices are gone, so we left them out.");
  const alone = await pageAt(`${addressOf("A")}&ids=${removed.id}`);
  expect(alone.text).toContain(oneIsGone);
  expect(alone.text).toContain("Select at least two devices");
});

test("a comparison of fewer than two phones explains how to select phones", async () => {
  const one = await pageAt(addressOf("A"));
  expect(one.text).toContain("Select at least two devices");
  expect(one.text).toContain("Pick one more to compare with Fairphone A.");
  expect(one.links).toContain("/android");
  const empty = await pageAt("/compare");
  expect(empty.text).toContain("Select devices to compare");
  expect(empty.links).toEqual(expect.arrayContaining(["/products", "/android", "/ios", "/tablet"]));
  expect(empty.html).not.toContain("<table");
});

test.each([
  ["NUL", "%00"],
  ["NUL in an id", `${unknownId.slice(1)}%00`],
  ["5,000 characters", "f".repeat(5000)],
  ["quotes", "%27%20OR%20%271%27=%271"],
  ["markup", "%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E"],
  ["invalid UTF-8", "%ff%fe"],
  ["a thousand ids", Array(1000).fill("x").join("&ids=")],
])("invalid ids are ignored: %s", async (_what, id) => {
  const page = await pageAt(`/compare?ids=${id}&ids=${idsOf("BA").join("&ids=")}&ids=${id}`);
  expect(page.columns).toEqual(names("BA"));
  expect(page.text).not.toContain("we left");
  expect(page.text).not.toContain(cut);
  expect(page.html).not.toContain("<script>alert(1)");
  expect((await pageAt(`/compare?ids=${id}`)).text).toContain("Select devices to compare");
});

test("text from sellers is escaped", async () => {
  const model = '</th><script>alert("1")</script>';
  const { id } = await addPhone(server.db, { model, processor: model });
  const page = await pageAt(`${addressOf("A")}&ids=${id}`);
  expect(page.html).not.toContain('<script>alert("1")');
  expect(page.row("Processor")?.[2]).toBe(model);
});

test("a comparison is not indexed, and not cached", async () => {
  const page = await pageAt(addressOf("AB"));
  expect(page.html).toContain("<title>Compare Fairphone A, Fairphone B · Ringback</title>");
  const said = (name: string) => page.tags.filter(({ attributes }) => attributes.get("name") === name);
  expect(said("robots").map(({ attributes }) => attributes.get("content"))).toEqual(["noindex"]);
  expect(page.html).not.toContain('rel="canonical"');
  const robots = await (await visitor(server).get("/robots.txt")).text();
  expect(robots.split("\n")).toContain("Disallow: /compare");
  const response = await visitor(server).get(addressOf("AB"));
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
});

test("the cards of a list can be selected, and their form opens the comparison", async () => {
  const { tags } = await pageAt("/products");
  const boxes = tags.filter(({ attributes }) => attributes.get("form") === "compare");
  expect(boxes).toHaveLength(tags.filter(({ name }) => name === "article").length);
  const [first] = phones;
  const box = boxes.find(({ attributes }) => attributes.get("value") === first?.id);
  expect(Object.fromEntries(box?.attributes ?? [])).toMatchObject({
    name: "ids",
    type: "checkbox",
    "aria-label": "Compare Fairphone A",
  });
  const form = tags.find(({ attributes }) => attributes.get("id") === "compare");
  expect([form?.name, form?.attributes.get("action"), form?.attributes.get("method")]).toEqual([
    "form",
    "/compare",
    "get",
  ]);
});
