import { beforeAll, expect, test } from "vitest";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { addAccount, addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
  const seller = await addAccount(server.db, { userType: "Seller", verified: true });
  for (let number = 1; number <= 30; number += 1) {
    await addPhone(server.db, {
      sellerId: seller.id,
      brandName: "Nokia",
      model: `Number ${number}`,
      sellingCents: number * 1000,
    });
  }
  for (let number = 1; number <= 9; number += 1) {
    const condition = number <= 3 ? "Excellent" : number === 4 ? "Fair" : null;
    await addPhone(server.db, {
      brandName: `Maker ${number}`,
      model: "Only",
      ram: "4 GB",
      rom: "64 GB",
      condition,
    });
  }
});

async function pageAt(path: string) {
  const response = await visitor(server).get(path);
  expect(response.status, path).toBe(200);
  const html = await response.text();
  const links = tagsOf(html).filter(({ name }) => name === "a");
  const to = (sign: (attributes: Map<string, string>) => boolean) =>
    links.find(({ attributes }) => sign(attributes))?.attributes.get("href");
  return {
    html,
    text: textOf(html),
    field: (name: string) => fieldValue(html, name),
    checked: tagsOf(html)
      .filter(({ attributes }) => attributes.get("type") === "checkbox" && attributes.has("checked"))
      .map(({ attributes }) => attributes.get("aria-label")),
    chip: (label: string) => to((attributes) => attributes.get("aria-label") === `Remove ${label}`),
    rel: (rel: string) => to((attributes) => attributes.get("rel") === rel),
    names: [...html.matchAll(/<h2 id="phone-[^>]*>(.*?)<\/h2>/g)].map(([, name = ""]) => textOf(name).trim()),
  };
}

test("the form shows the query, and the number of results", async () => {
  const page = await pageAt("/products?q=number&brand=Nokia&ram=8+GB&from=250&to=%24300.00&sort=price-up");
  expect(page.text).toContain(" 6 devices ");
  expect(page.text).toContain("Show devices");
  expect(page.names).toEqual([25, 26, 27, 28, 29, 30].map((number) => `Nokia Number ${number}`));
  expect(["q", "from", "to"].map(page.field)).toEqual(["number", "250", "300"]);
  expect(page.checked).toEqual(["Nokia, 6 devices", "8 GB, 6 devices"]);
  const chosen = tagsOf(page.html).filter(
    ({ name, attributes }) => name === "option" && attributes.has("selected"),
  );
  expect(chosen.map(({ attributes }) => attributes.get("value"))).toEqual(["price-up"]);
  expect(page.chip("Nokia")).toBe("/products?q=number&ram=8+GB&from=250&to=300&sort=price-up");
  expect(page.chip("Up to $300")).toBe("/products?q=number&brand=Nokia&ram=8+GB&from=250&sort=price-up");
  expect((await pageAt("/products?q=number+13")).text).toContain(" 1 device ");
});

test("signed-in and anonymous visitors find the same", async () => {
  const path = "/android?brand=Nokia&verified=yes&available=yes";
  const someone = visitor(server);
  await someone.signIn((await addAccount(server.db)).email);
  const main = (html: string) => html.match(/<main.*?<\/main>/s)?.[0];
  const stranger = main((await pageAt(path)).html);
  expect(textOf(stranger ?? "")).toContain("Nokia Number 30");
  await someone.get("/");
  expect(main(await (await someone.get(path)).text())).toBe(stranger);
});

test("pages keep the filters, and new filters start at the first page", async () => {
  const first = await pageAt("/android?brand=Nokia");
  expect(first.names.length).toBe(24);
  expect(first.rel("prev")).toBeUndefined();
  const second = await pageAt(first.rel("next") ?? "");
  expect(second.names).toEqual([6, 5, 4, 3, 2, 1].map((number) => `Nokia Number ${number}`));
  expect(second.rel("next")).toBeUndefined();
  expect(second.chip("Nokia")).toBe("/android");
  expect(
    tagsOf(second.html)
      .filter(({ name }) => name === "input")
      .map(({ attributes }) => attributes.get("name")),
  ).not.toContain("after");
  expect((await pageAt(second.rel("prev") ?? "")).names).toEqual(first.names);
  const longer = await pageAt("/android?brand=Nokia&more=1");
  expect(longer.names).toEqual([...first.names, ...second.names]);
});

test("phones can be filtered by condition", async () => {
  const page = await pageAt("/products?condition=Excellent");
  expect(page.names).toEqual(["Maker 3 Only", "Maker 2 Only", "Maker 1 Only"]);
  expect(page.checked).toEqual(["Excellent, 3 devices"]);
  expect(page.chip("Excellent condition")).toBe("/products");
  const several = await pageAt("/products?condition=Fair&condition=Excellent&brand=Maker+4&condition=Mint");
  expect(several.names).toEqual(["Maker 4 Only"]);
  expect((await pageAt("/products?brand=Nokia")).text).not.toContain("Condition");
  expect((await pageAt("/products?condition=Good")).names).toEqual([]);
});

test("cards say how far a phone is from the city that was asked for", async () => {
  const model = "Pathfinder";
  await addPhone(server.db, { brandName: "Nokia", model, details: { city: "Oakland, CA" } });
  await addPhone(server.db, { brandName: "Nokia", model, details: { city: "San Francisco, CA" } });
  const nearby = (await pageAt(`/products?q=${model}&near=San+Francisco`)).text;
  expect(nearby).toContain("Oakland, about 5 miles away · today");
  expect(nearby).toContain("San Francisco · today");
  expect((await pageAt(`/products?q=${model}`)).text).toContain("Oakland · today");
});

test("an empty price range shows an error, and keeps the input", async () => {
  const page = await pageAt("/products?brand=Nokia&from=300&to=100&verified=yes");
  expect(page.text).toContain("“From” is higher than “To”. Swap them?");
  expect(page.html).toContain('href="/products?brand=Nokia&amp;verified=yes&amp;from=100&amp;to=300"');
  expect(["from", "to"].map(page.field)).toEqual(["300", "100"]);
  const faulty = tagsOf(page.html).filter(({ attributes }) => attributes.get("aria-invalid") === "true");
  expect(
    faulty.map(({ attributes }) => [attributes.get("name"), attributes.get("aria-describedby")]),
  ).toEqual([
    ["from", "price-error"],
    ["to", "price-error"],
  ]);
  expect(page.checked).toEqual(["Nokia, 0 devices", "Verified sellers only, 0 devices"]);
  expect(page.text).toContain(" 0 devices ");
});

test("without results the filters are named and can be removed", async () => {
  const page = await pageAt("/products?q=zeppelin&brand=Nokia&brand=Absent");
  expect(page.text).toContain(
    'No devices match all your filters: "zeppelin", Absent, and Nokia. Remove one to see more.',
  );
  expect(page.text.match(/Clear all/g)).toHaveLength(1);
  expect(page.checked).toEqual(["Absent, 0 devices", "Nokia, 0 devices"]);
  expect(page.chip("Absent")).toBe("/products?q=zeppelin&brand=Nokia");
});

test("invalid parameters are ignored", async () => {
  const plain = await pageAt("/products");
  const strange = await pageAt("/products?from=&to=%20&sort=*&verified=&brand=&more=x&after=&before=&q=%20");
  expect(strange.names).toEqual(plain.names);
  expect(strange.text).toBe(plain.text);
});

test("an empty category shows no filters", async () => {
  const page = await pageAt("/tablet");
  expect(page.text).toContain("No tablets for sale right now");
  expect(page.html).toContain('content="Used tablets from their owners, newest first."');
  expect(page.field("sort")).toBeUndefined();
});

test("many values are collapsed, unless one of them is selected", async () => {
  const foldsOf = async (path: string) =>
    tagsOf((await pageAt(path)).html.match(/<main.*<\/main>/s)?.[0] ?? "")
      .filter(({ name }) => name === "details")
      .map(({ attributes }) => attributes.has("open"));
  expect(await foldsOf("/products")).toEqual([false]);
  expect(await foldsOf("/products?brand=Maker+9")).toEqual([true]);
});

test("the first image loads eagerly, and those below the fold lazily", async () => {
  const pictures = tagsOf((await pageAt("/products")).html).filter(({ attributes }) =>
    attributes.get("src")?.startsWith("/devices/"),
  );
  expect(pictures.map(({ attributes }) => attributes.get("fetchpriority")).filter(Boolean)).toEqual(["high"]);
  expect(pictures.map(({ attributes }) => attributes.get("loading"))).toEqual([
    ...Array(2).fill("eager"),
    ...Array(22).fill("lazy"),
  ]);
  expect(pictures[0]?.attributes.get("fetchpriority")).toBe("high");
  expect(pictures.every(({ attributes }) => attributes.has("width") && attributes.has("height"))).toBe(true);
});
