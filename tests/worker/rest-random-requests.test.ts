import { getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, apiClient, tokenClient } from "../harness/api-client.ts";
import { anyText, wellFormed } from "../harness/arbitraries.ts";
import { type Contract, type Operation, readContract } from "../harness/openapi.ts";
import { addAccount, addPhone, newAddress, startServer } from "../harness/server.ts";

let server: LocalServer;
let contract: Contract;
let clients: ApiClient[];
let targets: string[];
let rows: () => Promise<unknown>;
beforeAll(async () => {
  server = await startServer();
  contract = await readContract(server);
  rows = rowCounter();
  const seller = await tokenClient(server, { userType: "Seller" });
  clients = [
    apiClient(server),
    await tokenClient(server),
    seller,
    await tokenClient(server, { userType: "Admin" }),
    apiClient(server, { Authorization: "Bearer garbage" }),
  ];
  // Existing rows, which paths and bodies may name.
  const { id: sellerId } = seller.account;
  const stranger = await addAccount(server.db, { userType: "Seller", email: "stranger@example.com" });
  targets = [
    ...[(await addPhone(server.db, { sellerId })).id, (await addPhone(server.db)).id],
    ...[(await addPhone(server.db, { status: "reserved", sellerId })).id, stranger.id, stranger.email],
    ...["Android", "Ios", "Smart Phone", "Tablet", "5", "00000000-0000-7000-8000-000000000001"],
  ];
});
afterAll(() => server?.stop());

// Idempotency keys are stored even for failed requests.
const tables = Object.values(schema).filter(
  (each) => is(each, SQLiteTable) && each !== schema.idempotencyKeys,
);

/** The number of rows per table; each change adds one somewhere. */
function rowCounter(): () => Promise<unknown> {
  const counts = tables.map((table) => `(select count(*) from ${getTableName(table as SQLiteTable)})`);
  const query = sql.raw(`select ${counts.join(" || ',' || ")} as counts`);
  return () => server.db.get(query);
}

/** Values that are valid for a field beyond what its schema says. */
const fitting: Record<string, unknown[]> = {
  marketPrice: ["549", 549, "549.50"],
  sellingPrice: ["199", 199.5],
  price: ["349.5", 349.5],
  postDate: ["2026-11-20"],
  image: ["https://pictures.example/a.jpg"],
  email: ["stranger@example.com", "new@example.com"],
  password: ["secret1"],
};

interface Property {
  enum?: unknown[];
  type?: string | string[];
}

/** Mostly valid values for a field, else any JSON. */
function anyValue(name: string, { enum: known }: Property): fc.Arbitrary<unknown> {
  const fits = fitting[name] ?? known ?? (name === "phoneId" ? targets : null) ?? ["8 GB", "x"];
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...fits) },
    { weight: 1, arbitrary: anyText() },
    { weight: 1, arbitrary: fc.constantFrom(...targets) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

/** Request bodies as text: almost valid, any JSON, and invalid JSON. */
function bodyOf({ requestBody }: Operation): fc.Arbitrary<string | undefined> {
  if (!requestBody) return fc.constant(undefined);
  const { properties = {} } = requestBody.content["application/json"].schema as {
    properties?: Record<string, Property>;
  };
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, anyValue(name, property)]),
  );
  const near = fc.record(fields, { requiredKeys: [] });
  const whole = fc.record(fields);
  const more = fc.tuple(whole, fc.dictionary(anyText(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }));
  return fc.oneof(
    { weight: 4, arbitrary: whole.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: near.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: more.map(([body, extra]) => JSON.stringify({ ...extra, ...body })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText() },
  );
}

const anyName = () =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...targets) },
    { weight: 2, arbitrary: anyText().map(wellFormed) },
  );

/** URLs of an operation: its path with parameters, and a query with some unknown parameters. */
function addressOf(template: string, { parameters }: Operation): fc.Arbitrary<string> {
  const names = [...template.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const known = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const word = fc.tuple(fc.constantFrom("x", ...known, ...known), anyName());
  const query = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(word, { maxLength: 3 }) },
  );
  // An empty segment or one of dots only would be another path.
  const part = anyName().filter((name) => !/^\.{0,2}$/.test(name) && name.length < 2_000);
  return fc.tuple(fc.tuple(...names.map(() => part)), query).map(([parts, words]) => {
    const path = names.reduce(
      (filled, name, index) => filled.replace(name, () => encodeURIComponent(parts[index] ?? "")),
      template,
    );
    const search = String(new URLSearchParams(words.map(([name, word]) => [name, word.slice(0, 2_000)])));
    return search ? `${path}?${search}` : path;
  });
}

const anyHeaders = () =>
  fc.record(
    {
      "Idempotency-Key": fc.oneof(
        { weight: 4, arbitrary: fc.uuid() },
        { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."ab \"'é~"), maxLength: 4 }) },
      ),
      "If-None-Match": fc.constantFrom("*", '"x"', "x", ",", 'W/"'),
      Accept: fc.constantFrom("*/*", "application/json", "image/png", ""),
      "X-Forwarded-Host": fc.constant("other.example"),
      Cookie: fc.constantFrom("__Host-session=x", "=", "__Host-session=%; a"),
    },
    { requiredKeys: [] },
  );

const types = () =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json; charset=x", ";", "image/png") },
  );

/** Whether a body has text that is trimmed before validation, which the schema cannot express. */
const hasBlankEnds = (body: unknown): boolean =>
  typeof body === "string"
    ? body !== body.trim()
    : typeof body === "object" && body !== null && Object.values(body).some(hasBlankEnds);

// Operations are looked up when their test runs, because the document comes from the server.
const described = [
  ...["GET /phoneInfoCollection", "POST /phoneInfoCollection", "GET /phoneInfoCollection/{category}"],
  ...["GET /phoneInfoCollection/{category}/{type}", "GET /allPhoneInfo", "DELETE /phones/delete/{id}"],
  ...["POST /bookings", "GET /bookings", "DELETE /bookings/delete/{id}", "GET /users", "POST /users"],
  ...["DELETE /users/delete/{id}", "GET /users/admin/{email}", "GET /users/seller/{email}", "GET /sellers"],
  ...["PUT /seller/verify/{id}", "GET /jwt", "GET /report", "POST /report", "GET /openapi.json"],
  ...["GET /bookings/reviews/{id}", "PUT /bookings/review/{id}", "PUT /bookings/reply/{id}"],
  ...["GET /reviews/seller/{id}", "PUT /bookings/delivery/{id}"],
  ...["GET /notifications", "PUT /notifications/read"],
  ...["GET /saved", "PUT /saved/{phoneId}", "DELETE /saved/{phoneId}"],
];

test("each documented operation is tested", () => {
  const operations = contract.operations.map(({ method, template }) => `${method} ${template}`);
  expect(described.toSorted()).toEqual(operations.toSorted());
});

describe("random requests:", () => {
  test.each(described)("%s responds as documented, and a refused request changes nothing", async (name) => {
    const [method = "", template = ""] = name.split(" ");
    const operation = contract.document.paths[template]?.[method.toLowerCase()];
    if (!operation) throw new Error("There is no such operation.");
    const fits = contract.requestBodyValidator(method, template);
    const requests = fc.record({
      // Most often a user with more permissions.
      who: fc.constantFrom(0, 1, 1, 2, 2, 3, 3, 3, 4),
      path: addressOf(template, operation),
      headers: anyHeaders(),
      type: types(),
      body: bodyOf(operation),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ who, path, headers, type, body }) => {
        const one = clients[who] as ApiClient;
        const before = await rows();
        const response = await one.send(method, path, {
          body,
          headers: {
            ...headers,
            "CF-Connecting-IP": newAddress(),
            ...(body !== undefined && { "Content-Type": type }),
          },
        });
        one.visitor.cookies.clear();
        expect(response.status).toBeLessThan(500);
        if (response.status >= 300) expect(await rows()).toEqual(before);
        if (response.status === 200 && fits && body !== undefined) {
          const said = JSON.parse(body);
          expect(fits(said) || hasBlankEnds(said), `took what the document forbids: ${body}`).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
