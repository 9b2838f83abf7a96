import { describe, expect, test } from "vitest";
import { z } from "zod";
import routes from "#app/routes.ts";
import { bodyLimits, publicPath } from "#app/server/api/api-operations.server.ts";
import { apiRouting, toResourceRoute } from "#app/server/api/api-request.server.ts";
import { apiRoot } from "#app/server/http/paths.ts";

const host = "https://ringback.example";
const apiFiles = (file: string) => file.startsWith("routes/api/");

type Route = (typeof routes)[number];

/** Routes and all below them, as Remix's build has them. */
function built(entries: Route[], parentId?: string): Record<string, { path?: string; parentId?: string }> {
  return Object.assign(
    {},
    ...entries.map(({ file, path, children = [] }) => {
      const id = `${parentId} ${path} ${file}`;
      return { [id]: { path, parentId }, ...built(children, id) };
    }),
  );
}

const { isApiRequest } = apiRouting(built(routes));
const isApi = (path: string, init?: RequestInit) => isApiRequest(new Request(host + path, init));

/** The addresses of routes and all below them. */
function addresses(entries: Route[], parent = ""): string[] {
  return entries.flatMap(({ path = "", children = [] }) => {
    const address = `${parent}/${path}`.replaceAll(/\/+/g, "/").replaceAll(/:\w+|\*/g, "something");
    return [address, ...addresses(children, address)];
  });
}

test("each API route is an API path", () => {
  const apiRoutes = routes.filter(({ file, path }) => apiFiles(file) && !path?.endsWith("*"));
  for (const path of addresses(apiRoutes).map(publicPath)) {
    // A page's own path is the API's for other methods.
    const init = path === "/phones/something" ? { method: "PUT" } : {};
    expect([path, isApi(path, init), isApi(`${path.toUpperCase()}/`, init)]).toEqual([path, true, true]);
  }
});

test("a body may be as large as its operation says, whatever the method", () => {
  const described = { tag: "", summary: "", access: "anyone", response: z.object({}) };
  const operations = { GET: described, POST: described, PUT: { ...described, maxBodyKiB: 512 } };
  const limitOf = bodyLimits([
    { path: "/shelf/:id", operations },
    { path: "/shelf", operations: { POST: described } },
  ]);
  const limit = (method: string, path: string) => limitOf(new Request(host + path, { method }));
  expect(["GET", "POST", "PUT", "PATCH"].map((method) => limit(method, "/shelf/1"))).toEqual([
    ...[undefined, undefined, 512, undefined],
  ]);
  expect(limit("POST", "/shelf")).toBeUndefined();
});

test("no page has an API path", () => {
  const pages = addresses(routes.filter(({ file }) => !apiFiles(file)));
  expect(pages).toContain("/products/something/book");
  expect(pages.filter((path) => isApi(path))).toEqual(["/models/something/prices", "/report"]);
});

test("unknown paths below one of the API's are the API's, unless pages have such paths", () => {
  for (const path of ["/users/no/such", "/bookings/eat/1", "/seller", "/phones/delete/1", "/sellers"])
    expect([path, isApi(path)]).toEqual([path, true]);
  for (const path of [
    "/phones/1",
    "/phones/1/book",
    "/sellers/1",
    "/rest",
    "/",
    "/search/suggestions",
    "/usersx",
  ])
    expect([path, isApi(path)]).toEqual([path, false]);
  expect([isApi("/", { method: "PUT" }), isApi("/phones/1", { method: "PUT" })]).toEqual([false, true]);
});

test("a path below a page's is the API's alone, not what else is there", () => {
  const { isApiRequest } = apiRouting({
    model: { path: "models/:slug" },
    photos: { path: "models/:slug/photos" },
    prices: { path: `${apiRoot}/models/:slug/prices` },
  });
  const paths = [
    "/models/pixel-8",
    "/models/pixel-8/photos",
    "/models/pixel-8/prices",
    "/models/pixel-8/prices/1",
  ];
  expect(paths.filter((path) => isApiRequest(new Request(host + path)))).toEqual(["/models/pixel-8/prices"]);
});

describe("/report", () => {
  const form = "application/x-www-form-urlencoded";
  test.each<[string, RequestInit, boolean]>([
    ["a page request of a browser", { headers: { Accept: "text/html,*/*;q=0.8" } }, false],
    ["a HEAD for the page", { method: "HEAD", headers: { Accept: "Text/HTML" } }, false],
    ["a posted form", { method: "POST", headers: { "Content-Type": `${form};charset=UTF-8` } }, false],
    ["a form with files", { method: "POST", headers: { "Content-Type": "multipart/form-data; x" } }, false],
    ["a request for anything", { headers: { Accept: "*/*" } }, true],
    ["posted JSON", { method: "POST", headers: { "Content-Type": "application/json" } }, true],
    ["a POST without a type", { method: "POST", headers: { Accept: "text/html" } }, true],
    ["OPTIONS", { method: "OPTIONS", headers: { Accept: "text/html" } }, true],
    ["DELETE", { method: "DELETE", headers: { "Content-Type": form } }, true],
  ])("%s", (_, init, expected) => {
    for (const path of ["/report", "/Report/", "/report?limit=1"]) {
      expect([path, isApi(path, init)]).toEqual([path, expected]);
    }
  });

  test("is rewritten to its route, with its query, headers and body", async () => {
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    const routed = toResourceRoute(new Request(`${host}/REPORT/?limit=1`, init));
    expect([routed.url, routed.method]).toEqual([`${host}/rest/REPORT/?limit=1`, "POST"]);
    expect([routed.headers.get("Content-Type"), await routed.text()]).toEqual(["application/json", "{}"]);
  });
});

test("an unknown method becomes PATCH, which the router passes on and the route refuses", () => {
  const methodOf = (method: string) => toResourceRoute(new Request(`${host}/users`, { method })).method;
  expect(methodOf("PROPFIND")).toBe("PATCH");
  for (const method of ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"])
    expect(methodOf(method)).toBe(method);
});
