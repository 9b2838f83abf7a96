import { beforeAll, expect, test } from "vitest";
import { tagsOf } from "../harness/html.ts";
import { addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
  for (const model of ["Number 1", "Number 1", "Number 2"]) {
    await addPhone(server.db, { brandName: "Nokia", model });
  }
});

const fetchSuggestions = (query: string) => visitor(server).get(`/search/suggestions${query}`);

async function suggestionsAt(query: string) {
  const response = await fetchSuggestions(query);
  expect(response.status, query.slice(0, 40)).toBe(200);
  return ((await response.json()) as { suggestions: object[] }).suggestions;
}

test("suggestions are JSON, cacheable for a minute", async () => {
  const response = await fetchSuggestions("?q=%20nok");
  expect(await response.json()).toEqual({
    suggestions: [
      { label: "Nokia", count: 3, to: "/products?brand=Nokia" },
      { label: "Nokia Number 1", count: 2, to: "/models/nokia-number-1" },
      { label: "Nokia Number 2", count: 1, to: "/models/nokia-number-2" },
    ],
  });
  expect(response.headers.get("Content-Type")).toContain("application/json");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
  expect(response.headers.has("Set-Cookie")).toBe(false);
});

test("text without matches has no suggestions, and is no error", async () => {
  const nonsense = ["", "*", '"', "\0", "\ud800", "nokia\0x", "NEAR(nokia, 1)", "nokia OR", "😀", "'; --"];
  for (const words of nonsense) {
    expect(
      await suggestionsAt(
        `?q=${encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(words)))}`,
      ),
      words,
    ).toEqual([]);
  }
  expect(await suggestionsAt("")).toEqual([]);
  expect(await suggestionsAt("?q=%E0%A4%A")).toEqual([]);
  expect(await suggestionsAt(`?q=${"x".repeat(5000)}`)).toEqual([]);
  expect(await suggestionsAt("?q=nokia&q=zeppelin")).toHaveLength(3);
});

async function fieldOn(path: string) {
  const tags = tagsOf(await (await visitor(server).get(path)).text());
  const fields = tags.filter(({ attributes }) => attributes.get("name") === "q");
  expect(
    fields.map(({ name }) => name),
    path,
  ).toEqual(["input"]);
  const [field] = fields;
  const formId = field?.attributes.get("form");
  const forms = tags.filter(({ name }) => name === "form");
  const form = forms.find(({ attributes }) => attributes.get("id") === formId);
  return {
    words: field?.attributes.get("value"),
    to: form?.attributes.get("action"),
    method: form?.attributes.get("method"),
    role: field?.attributes.get("role"),
  };
}

test("each page but the home page has one search field, which submits to a list", async () => {
  const products = { words: "", to: "/products", method: "get", role: undefined };
  const phone = await addPhone(server.db);
  for (const path of ["/about", "/login", "/no-such-page", `/phones/${phone.id}`, "/blogs?q=other"]) {
    expect(await fieldOn(path), path).toEqual(products);
  }
  expect(await fieldOn("/tablet?q=")).toEqual(products);
  expect(await fieldOn("/android?q=nokia+1&brand=Nokia")).toEqual({
    ...products,
    words: "nokia 1",
    to: "/android",
  });
  expect(await fieldOn(`/products/${phone.id}?q=fair`)).toEqual({ ...products, words: "fair" });
});
