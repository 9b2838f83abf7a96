import { eq, isNull } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { signedInClient } from "../harness/api-client.ts";
import { readContract } from "../harness/openapi.ts";
import { rows, testOperations } from "../harness/rest-operations.ts";
import { sharedServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

testOperations(["cookie"]);

test("each operation has a row, and each row an operation", async () => {
  const { operations } = await readContract(server);
  const described = operations.map(({ method, template }) => `${method} ${template}`);
  expect(Object.keys(rows).toSorted()).toEqual(described.toSorted());
});

test("the example of each operation succeeds", async () => {
  const { operations, requestBodyValidator } = await readContract(server);
  for (const { method, template, operation } of operations) {
    const content = operation.requestBody?.content["application/json"];
    const name = `${method} ${template}`;
    const target = content && (await rows[name]?.prepare());
    if (!target) continue;
    const { path, body = {}, ownerId = "" } = target;
    const example = { ...content.example };
    for (const key of Object.keys(example)) if (/Id$/.test(key)) Object.assign(example, { [key]: body[key] });
    expect([name, requestBodyValidator(method, template)?.(example)]).toEqual([name, true]);
    const [owner] = await server.db.select().from(users).where(eq(users.id, ownerId));
    const client = await signedInClient(server, owner ?? { userType: "Admin" });
    const response = await client.send(method, path, {
      body: JSON.stringify(example),
      headers: { "Content-Type": "application/json" },
    });
    expect([name, response.status, response.text]).toEqual([name, 200, response.text]);
  }
});

test("administrators delete neither themselves nor, two at once, each other", async () => {
  const [one, other] = [
    await signedInClient(server, { userType: "Admin" }),
    await signedInClient(server, { userType: "Admin" }),
  ];
  const own = await one.delete(`/users/delete/${one.account.id}`);
  expect([own.status, own.body.deletedCount]).toEqual([409, 0]);
  await Promise.all([
    one.delete(`/users/delete/${other.account.id}`),
    other.delete(`/users/delete/${one.account.id}`),
  ]);
  const left = await server.db.select().from(users).where(isNull(users.removalId));
  expect(left.filter(({ id }) => [one.account.id, other.account.id].includes(id))).toHaveLength(1);
});
