import { isNull } from "drizzle-orm";
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
