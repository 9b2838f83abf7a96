/** @module-tag slow */
import { getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import * as schema from "#app/db/schema.ts";
import { sanitizeText } from "#app/server/forms/sanitize-text.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { anyBody, anyBodyType, anyHeaders, anyPath } from "../harness/api-arbitraries.ts";
import { type ApiClient, apiClient, tokenClient } from "../harness/api-client.ts";
import { type Contract, readContract } from "../harness/openapi.ts";
import { operationNames } from "../harness/rest-operations.ts";
import { addAccount, addPhone, newAddress, sharedServer } from "../harness/server.ts";

let server: LocalServer;
let contract: Contract;
let clients: ApiClient[];
let targets: string[];
let rows: () => Promise<unknown>;
beforeAll(async () => {
  server = await sharedServer();
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

const { idempotencyKeys, signUpAddresses, oneTimeTokens, accountEmails, sentEmails } = schema;
// Idempotency keys are stored even for failed requests. The others are written after the response to a sign-up.
const uncounted: unknown[] = [idempotencyKeys, signUpAddresses, oneTimeTokens, accountEmails, sentEmails];
const tables = Object.values(schema).filter((each) => is(each, SQLiteTable) && !uncounted.includes(each));

/** The number of rows per table; each change adds one somewhere. */
function rowCounter(): () => Promise<unknown> {
  const counts = tables.map((table) => `(select count(*) from ${getTableName(table as SQLiteTable)})`);
  const query = sql.raw(`select json_array(${counts.join()}) as counts`);
  return () => server.db.get(query);
}

/** Whether a body has text that is cleaned before validation, which the schema cannot express. */
const hasBlankEnds = (body: unknown): boolean =>
  typeof body === "string"
    ? body !== sanitizeText(body)
    : typeof body === "object" && body !== null && Object.values(body).some(hasBlankEnds);

// Operations are looked up when their test runs, because the document comes from the server.
describe("random requests:", () => {
  test.each(operationNames)(
    "%s responds as documented, and a refused request changes nothing",
    async (name) => {
      const [method = "", template = ""] = name.split(" ");
      const operation = contract.document.paths[template]?.[method.toLowerCase()];
      if (!operation) throw new Error("There is no such operation.");
      const fits = contract.requestBodyValidator(method, template);
      const requests = fc.record({
        // Most often a user with more permissions.
        who: fc.constantFrom(0, 1, 1, 2, 2, 3, 3, 3, 4),
        path: anyPath(template, operation, targets),
        headers: anyHeaders(),
        type: anyBodyType(),
        body: anyBody(operation, targets),
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
        { numRuns: 8 },
      );
    },
  );
});
