import { isNull } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { apiClient, signedInClient } from "../harness/api-client.ts";
import { prepareExample, writes } from "../harness/mutations/mutations.ts";
import { readContract } from "../harness/openapi.ts";
import { operationNames, testOperations } from "../harness/rest-operations.ts";
import { sharedServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

testOperations(["cookie"]);

test("each operation has an example, and each example an operation", async () => {
  const { operations } = await readContract(server);
  const described = operations.map(({ method, template }) => `${method} ${template}`);
  expect(operationNames.toSorted()).toEqual(described.toSorted());
});

test("the example of each operation succeeds", async () => {
  const { operations, requestBodyValidator } = await readContract(server);
  for (const { method, template, operation } of operations) {
    const content = operation.requestBody?.content["application/json"];
    const name = `${method} ${template}`;
    const own = writes.find(({ rest }) => rest === name);
    if (!content || !own) continue;
    const { person, rest } = await prepareExample(server, own);
    if (!rest) throw new Error(`${name} has no request.`);
    const ids = Object.entries(rest.body ?? {}).filter(([key]) => /Ids?$/.test(key));
    const body = { ...content.example, ...Object.fromEntries(ids) };
    expect([name, requestBodyValidator(method, template)?.(body)]).toEqual([name, true]);
    const init = { ...rest.init, body: JSON.stringify(body) };
    const response = await apiClient(server, {}, person).send(method, rest.path, init);
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
