import { beforeAll, expect, test } from "vitest";
import { addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

test("after a write D1 returns a bookmark, and later reads start at it", async () => {
  const someone = visitor(server);
  const page = `/products/${(await addPhone(server.db)).id}`;
  expect((await someone.get(page)).status).toBe(200);
  expect(someone.cookies.has("__Host-bookmark")).toBe(false);

  const report = { name: "Mia Sund", email: "mia@example.com", details: "The model is another one." };
  expect((await someone.post("/report", report)).status).toBe(303);
  const [value = ""] = decodeURIComponent(someone.cookies.get("__Host-bookmark") ?? "").split(".");
  expect(JSON.parse(atob(value))).toMatch(/^[0-9a-f]{8}(-[0-9a-f]+){3}$/);
  expect((await someone.get(page)).status).toBe(200);

  const forger = visitor(server);
  forger.cookies.set("__Host-bookmark", "nonsense");
  expect((await forger.get(page)).status).toBe(200);
});
