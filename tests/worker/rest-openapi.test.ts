import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { publicPath } from "#app/server/api/api-operations.server.ts";
import { type ApiClient, apiClient, rawRequest, signedInClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { allowHeader, type Contract, readContract, specifiedOperations } from "../harness/openapi.ts";
import { eventually } from "../harness/page-objects.ts";
import { sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;
let contract: Contract;
let nobody: ApiClient;
let admin: ApiClient;
beforeAll(async () => {
  server = await sharedServer();
  contract = await readContract(server);
  nobody = apiClient(server);
  admin = await signedInClient(server, { userType: "Admin" });
});

const apiRoutes = routes.filter(({ file, path }) => file.startsWith("routes/api/") && !path?.endsWith("*"));

/** The paths of the API routes, in OpenAPI notation. */
const paths = apiRoutes.map(({ path = "" }) => publicPath(path).replaceAll(/:(\w+)/g, "{$1}"));

const addressOf = (template: string) => template.replaceAll(/\{\w+\}/g, "nothing");

test("the document is valid OpenAPI 3.1", async () => {
  const { document } = contract;
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document).toMatchObject({ servers: [{ url: expect.stringMatching(/^https?:\/\/[^/]+$/) }] });
  expect(await new Validator().validate(structuredClone(document) as never)).toEqual({ valid: true });
});

test("numbers have no pattern, which generated code would check as that of a text", () => {
  const text = JSON.stringify(contract.document, (_, value) =>
    value?.type === "integer" || value?.type === "number" ? Object.keys(value).join() : value,
  );
  expect(text).toContain('"type,minimum,maximum"');
  expect(text).not.toMatch(/"type,[^"]*pattern/);
});

test("operation ids are unique, and errors are problem details", () => {
  const ids = contract.operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operation } of contract.operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) expect(Object.keys(content ?? {})).toEqual(["application/problem+json"]);
    }
  }
});

test("it describes the specified operations", () => {
  const described = contract.operations.map(({ method, template }) => `${method} ${template}`);
  expect(described).toEqual(expect.arrayContaining(specifiedOperations));
});

test("it says which listings are refused", () => {
  expect(contract.document.paths["/phoneInfoCollection"]?.post).toHaveProperty(
    "description",
    expect.stringMatching(/a market price of 0 returns 422\. So does an `image` that isn’t/),
  );
});

test("it describes all API routes", () => {
  expect(Object.keys(contract.document.paths).toSorted()).toEqual(paths.toSorted());
});

describe.each(paths)("%s", (template) => {
  const path = addressOf(template);
  const operations = () => contract.document.paths[template] ?? {};

  test("supports the documented methods, and lists them for OPTIONS", async () => {
    for (const method of Object.keys(operations()).map((each) => each.toUpperCase())) {
      const body = method === "POST" || method === "PUT" ? {} : undefined;
      const response = await admin.send(method, path, {
        ...(body && { body: "{}", headers: { "Content-Type": "application/json" } }),
      });
      expect([method, response.status]).not.toEqual([method, 405]);
      const success = template === "/shop/listings" ? "text/csv; charset=utf-8" : "application/json";
      expect([method, response.headers.get("Content-Type")]).toEqual([
        method,
        response.status === 200 ? success : "application/problem+json",
      ]);
    }
    const options = await nobody.send("OPTIONS", path);
    expect(options.headers.get("Allow")).toBe(allowHeader(operations(), template));
  });

  test("responds 405 to other methods, with Allow", async () => {
    const known = allowHeader(operations(), template).split(", ");
    const odd = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "TRACE", "PROPFIND"];
    // A page without a form refuses POST in words, as other pages do.
    const ofPage = template === "/phones/{id}" ? ["POST"] : [];
    for (const method of odd.filter((each) => ![...known, ...ofPage].includes(each))) {
      const response = await rawRequest(server, method, path);
      expect([method, response.status, response.headers.get("Allow")]).toEqual([
        method,
        405,
        known.join(", "),
      ]);
      contract.validateResponse({ method, path }, response);
    }
  });

  test("responds to HEAD like GET, without the body", async () => {
    if (!operations().get) return;
    const requested = template === "/jwt" ? `${path}?email=x@example.com` : path;
    for (const client of [nobody, admin]) {
      const [head, get] = [await client.send("HEAD", requested), await client.get(requested)];
      expect([head.status, head.text]).toEqual([get.status, ""]);
      for (const name of ["Content-Type", "ETag", "Cache-Control", "Vary", "WWW-Authenticate"]) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    }
  });
});

test("Remix data requests to API routes have the same checks", async () => {
  for (const { id = "", path = "" } of apiRoutes) {
    const address = publicPath(path).replaceAll(/:\w+/g, "nothing");
    for (const requested of [
      `${address}.data`,
      `${address}?_data=${encodeURIComponent(id)}`,
      `${address}?_data=root`,
    ]) {
      for (const method of ["GET", "POST"]) {
        const response = await visitor(server).send(requested, { method, headers: { Origin: server.url } });
        expect([requested, await response.text()]).not.toEqual([
          requested,
          expect.stringContaining("@example.com"),
        ]);
      }
    }
  }
  const id = encodeURIComponent("api/users");
  expect((await rawRequest(server, "GET", `/users?_data=${id}`)).status).toBe(401);
});

test("paths ignore letter case and trailing slashes", async () => {
  for (const path of ["/PHONEINFOCOLLECTION", "/phoneInfoCollection/", "/Bookings", "/bookings/"]) {
    const response = await admin.get(path);
    expect([path, response.status, response.body]).toEqual([path, 200, []]);
  }
});

test("malformed paths get a 4xx response", async () => {
  const odd = [
    "/users/admin/%E0%A4%A",
    "/users/admin/%ZZ",
    "/users/admin/%00",
    "/users/admin/a%2Fb@example.com",
    "/phoneInfoCollection/%2e%2e/users",
    "/phoneInfoCollection/__proto__/constructor",
    "/phoneInfoCollection/Android/%F0%9F%93%B1",
    `/users/seller/${"x".repeat(5_000)}`,
    "/users/seller/' OR 1=1 --".replaceAll(" ", "%20"),
  ];
  for (const path of odd) {
    const response = await rawRequest(server, "GET", path);
    expect([path, response.status < 500]).toEqual([path, true]);
  }
});

test("a malformed email address does not reach the log", async () => {
  const lines = () => server.log().split('"event":"request"').length;
  const before = lines();
  for (const path of ["/users/admin/somebody@market.example%FF", "/phones/somebody@market.example%E0"]) {
    expect((await rawRequest(server, "GET", path)).status).toBeLessThan(500);
  }
  await eventually(async () => lines()).toBeGreaterThanOrEqual(before + 2);
  expect(server.log()).not.toContain("somebody@market.example");
});

test.each(["GET", "HEAD"])("%s ignores a body", async (method) => {
  for (const path of ["/phoneInfoCollection", "/users/admin/a@example.com", "/products"]) {
    const response = await rawRequest(server, method, path, {
      body: "{}",
      headers: { "Content-Length": "2" },
    });
    expect([path, response.status]).toEqual([path, 200]);
  }
});

test.each(["/bookings/nothing", "/users/delete", "/seller", "/jwt/x/y", "/users/admin/%FF"])(
  "%s is not an API path, and responds with problem details",
  async (path) => {
    for (const method of ["GET", "POST", "PUT", "OPTIONS", "PROPFIND"]) {
      const response = await rawRequest(server, method, path);
      expect([method, response.status]).toEqual([method, path.includes("%") ? 400 : 404]);
      expect(response.headers.get("Content-Type")).toBe("application/problem+json");
      expect(response.headers.get("Vary")).toContain("Origin");
    }
  },
);

test("the prefix of the API's routes is no public path", async () => {
  for (const path of ["/rest", "/rest/", "/rest/phoneInfoCollection", "/REST/users", "/rest/rest/users"]) {
    const response = await rawRequest(server, "GET", path);
    expect([path, response.status, response.headers.get("Content-Type")]).toEqual([
      path,
      404,
      "text/html; charset=utf-8",
    ]);
  }
});

test("/api lists the operations without JavaScript", async () => {
  const response = await visitor(server).get("/api");
  const page = await response.text();
  expect(response.status).toBe(200);
  for (const template of Object.keys(contract.document.paths)) {
    expect([template, page.includes(template)]).toEqual([template, true]);
  }
  const text = textOf(page);
  expect(text).toMatch(/PUT \/problems\/\{id\} With a reason.*?For moderators and administrators\./);
  expect(text).toContain('{ "step": "hand over", "handover": "shipped"');
  expect(text).toContain("A file: image/jpeg, image/png, image/webp.");
});

test("a path of the API is a page for a browser's navigation only", async () => {
  const html = { Accept: "text/html,*/*;q=0.8" };
  for (const path of ["/users", "/bookings", "/sellers", "/jwt", "/allPhoneInfo", "/phoneInfoCollection"]) {
    for (const headers of [html, { "Sec-Fetch-Mode": "navigate" }, { ...html, "Sec-Fetch-Mode": "cors" }]) {
      const record = await rawRequest(server, "GET", path, { headers });
      expect([path, record.headers.get("Content-Type")]).toEqual([path, expect.stringContaining("json")]);
      expect(record.headers.get("Vary")).toBe("Accept, Sec-Fetch-Mode, Origin");
    }
    const headers = { ...html, "Sec-Fetch-Mode": "navigate" };
    const page = await rawRequest(server, "GET", path, { headers });
    expect([path, page.status, page.headers.get("Vary")]).toEqual([path, 404, "Accept, Sec-Fetch-Mode"]);
  }
  const headers = { ...html, "Sec-Fetch-Mode": "navigate" };
  expect((await rawRequest(server, "GET", "/openapi.json", { headers })).status).toBe(200);
  expect((await rawRequest(server, "POST", "/users", { headers })).status).toBe(415);
});

test("/report is a page when Accept has text/html, and a JSON list otherwise", async () => {
  for (const path of ["/report", "/Report", "/report/"]) {
    const page = await visitor(server).get(path);
    expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    const list = await nobody.get(path, { Accept: "*/*" });
    expect([list.status, list.headers.get("Content-Type")]).toEqual([401, "application/problem+json"]);
    expect(Array.isArray((await admin.get(path, { Accept: "application/json" })).body)).toBe(true);
  }
});
