import { expect, test } from "vitest";
import { dataPath } from "../harness/data-path.ts";
import { startServer, visitor } from "../harness/server.ts";

test.each<[string, Record<string, string | undefined>]>([
  ["no secret", { SESSION_SECRET: undefined }],
  ["an empty secret", { SESSION_SECRET: "" }],
  ["a secret that is too short", { SESSION_SECRET: "hunter2-hunter2-hunter2" }],
  ["only one of the two Google settings", { GOOGLE_CLIENT_ID: "id" }],
])("a server with %s responds 500 without details", async (_, bindings) => {
  const server = await startServer({ bindings });
  try {
    const { get, post } = visitor(server);
    for (const response of [await get("/"), await get(dataPath("/products")), await post("/login", {})]) {
      expect(response.status).toBe(500);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
      });
      expect(await response.text()).toMatch(
        /^Something went wrong on our side\. Reference: [0-9a-f-]{36}\n$/,
      );
    }
  } finally {
    await server.stop();
  }
});
