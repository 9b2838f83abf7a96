import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import { cachedAddresses } from "#app/platform/cached-routes.server.ts";
import { cachedRoutes, quietPaths } from "#app/routes/cached.server.ts";
import routes from "#app/routes.ts";

const cachedAddress = cachedAddresses(cachedRoutes, (path) => ["root", path.split("/")[1] ?? "", "details"]);
const host = "https://ringback.example";
const id = "01995d1e-0000-7000-8000-000000000001";

function find(path: string, init?: RequestInit) {
  return cachedAddress(new Request(host + path, init));
}

test.each([
  ["/", "/", "/"],
  ["/?utm_source=x", "/", "/"],
  ["/_root.data", "/", "/_root.data"],
  ["/about?", "/about", "/about"],
  ["/products?sort=newest&ram=8+GB&q=%20x%20%20y&brand=", "/products", "/products?q=x+y&ram=8+GB"],
  ["/products?brand=Sony&brand=Apple&brand=Sony", "/products", "/products?brand=Apple&brand=Sony"],
  [`/ios/${id}?q=x&other=1`, "/ios/:phoneId", `/ios/${id}?q=x`],
  [`/ios/${id}.data?q=x`, "/ios/:phoneId", `/ios/${id}.data?q=x`],
  ["/tablet.data?_routes=root%2Ctablet", "/tablet", "/tablet.data?_routes=root%2Ctablet"],
  ["/tablet.data?_routes=tablet%2Croot,root", "/tablet", "/tablet.data?_routes=root%2Ctablet"],
  ["/tablet.data?_routes=root&q=x", "/tablet", "/tablet.data?q=x&_routes=root"],
  ["/tablet?_routes=root", "/tablet", "/tablet"],
  [`/phones/${id}?x=y`, "/phones/:phoneId", `/phones/${id}`],
  [`/phones/${id}.data`, "/phones/:phoneId", `/phones/${id}.data`],
  [`/sellers/${id}?before=x&after=${id}&y`, "/sellers/:sellerId", `/sellers/${id}?after=${id}`],
  ["/tablet.rss?x", "/tablet.rss", "/tablet.rss"],
  ["/sitemap.xml", "/sitemap.xml", "/sitemap.xml"],
])("%s may be kept, as %s at %s", (path, route, address) => {
  for (const method of ["GET", "HEAD"]) {
    const found = find(path, { method });
    expect([found?.route.path, found?.origin, found?.address]).toEqual([route, host, address]);
  }
  expect(find(address)?.address).toBe(address);
});

test.each([
  ...[
    "/login",
    "/signup",
    "/report",
    "/manage",
    "/reset",
    "/verify",
    "/forgot",
    "/addphone",
    "/allPhoneInfo",
  ],
  ...[
    "/users",
    "/jwt",
    "/bookings",
    "/nobody",
    "/.data",
    "/.data.data",
    "/products.data.data",
    "/openapi.json",
    "/phoneInfoCollection",
    "/phoneInfoCollection/Android",
    "/tablet.rss.data",
    "/sitemap/1.xml",
    "/phones",
    "/photos/x/card",
  ],
  ...[`/products/${id}/book`, "/Products", "/products/", "//products"],
  ...[
    "/products/a%2Fb",
    "/products/%",
    "/products/%00",
    "/products.data?_routes=%3Cx%3E",
    "/products.data?_routes=",
    "/products.data?_routes=root%2Cnobody",
    "/products.data?_routes=android",
  ],
])("%s is made for each visitor", (path) => {
  expect(find(path)).toBeNull();
});

test("only what is read by nobody in particular may be kept", () => {
  expect(find("/", { method: "POST" })).toBeNull();
  expect(find("/", { headers: { Authorization: "Bearer x" } })).toBeNull();
  for (const cookie of ["__Host-session=x", "a=b; __Host-flash=", "a=b;__Host-whatever-comes=x"]) {
    expect([cookie, find("/", { headers: { Cookie: cookie } })]).toEqual([cookie, null]);
  }
  for (const cookie of ["a=b", "__Host-device=x", "x__Host-session=y"]) {
    expect([cookie, find("/", { headers: { Cookie: cookie } })]).not.toEqual([cookie, null]);
  }
});

/** Every address of the product, as a pattern. */
function addresses(entries: RouteConfigEntry[], above = ""): string[] {
  return entries.flatMap(({ path = "", children = [] }) => {
    const address = [above, path.replace(/^\//, "")].filter(Boolean).join("/");
    return [`/${address}`, ...addresses(children, address)];
  });
}

test("the tables name addresses that there are", () => {
  const known = addresses(routes);
  expect(known).toEqual(expect.arrayContaining([...cachedRoutes.map(({ path }) => path), ...quietPaths]));
});
