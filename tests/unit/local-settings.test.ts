import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { checkLibsql } from "../../scripts/libsql-check.ts";
import { openLocalState } from "../../scripts/local-state.ts";
import { freePort } from "../../scripts/port.ts";

/** A server that is no libSQL server. */
let status = 200;
const other = createServer((_, response) => response.writeHead(status).end("hunter2"));
let port: number;
let folder: string;
beforeAll(async () => {
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  port = (other.address() as AddressInfo).port;
  folder = await mkdtemp(join(tmpdir(), "ringback-settings-"));
});
afterAll(async () => {
  other.close();
  await rm(folder, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

test.each([
  ["", "PORT is empty: set it to a number like 8787, or unset it."],
  ["http", "PORT is not a port number from 0 to 65535: set it to a number like 8787, or unset it."],
  ["65536", "PORT is not a port number from 0 to 65535: set it to a number like 8787, or unset it."],
  ["-1", "PORT is not a port number from 0 to 65535: set it to a number like 8787, or unset it."],
  [" 80", "PORT is not a port number from 0 to 65535: set it to a number like 8787, or unset it."],
])("PORT=%j is refused", (setting, message) => expect(freePort(setting)).rejects.toThrow(message));

test("a port in use is refused, a free one and 0 are taken", async () => {
  await expect(freePort(String(port))).rejects.toThrow(`PORT ${port} is in use: stop the other server, or`);
  expect(await freePort("0")).toBeGreaterThan(0);
});

test.each([
  ["STATE_DIR", "", "STATE_DIR is empty: set it to a folder, or unset it."],
  ["STATE_DIR", "package.json", "STATE_DIR is not a folder that can be written (EEXIST)"],
  ["STATE_DIR", "package.json/state", "STATE_DIR is not a folder that can be written (ENOTDIR)"],
  ["STATE_DIR", "/proc/none/state", "STATE_DIR is not a folder that can be written (ENOENT)"],
  [
    "SESSION_SECRET",
    "",
    "SESSION_SECRET is shorter than 32 characters: make one with `openssl rand -hex 32`",
  ],
  ["LIBSQL_URL", "file:local.db", "LIBSQL_URL is not the URL of a libSQL server"],
  ["LIBSQL_URL", "", "LIBSQL_URL is empty: set it, or unset it."],
  ["EDGE_CACHE_SECONDS", "", "EDGE_CACHE_SECONDS is empty: set it, or unset it."],
  ["LIBSQL_AUTH_TOKEN", "hunter2", "LIBSQL_URL is required together with LIBSQL_AUTH_TOKEN: set it, or"],
  ["ENVIRONMENT", "staging", "ENVIRONMENT is neither local nor production: set it to one of them."],
  ["EDGE_CACHE_SECONDS", "soon", "EDGE_CACHE_SECONDS is not a number of seconds from 0 to 450"],
])("the environment's %s=%j is refused", async (name, value, message) => {
  vi.stubEnv("STATE_DIR", folder);
  vi.stubEnv(name, value);
  await expect(openLocalState()).rejects.toThrow(message);
});

test("a database of the state that cannot be written is named", async () => {
  const databases = join(folder, "v3/d1");
  await mkdir(databases, { recursive: true });
  onTestFinished(() => rm(databases, { recursive: true }));
  // Whoever runs the tests may be allowed anything, but a link to itself leads nowhere.
  await symlink("own.sqlite", join(databases, "own.sqlite"));
  vi.stubEnv("STATE_DIR", folder);
  await expect(openLocalState()).rejects.toThrow(
    `${join(databases, "own.sqlite")} can’t be written (ELOOP): make it writable for this account, or set`,
  );
});

test("a libSQL server that is down is named without its address", async () => {
  const attempt = checkLibsql({ LIBSQL_URL: "http://127.0.0.1:11111" });
  await expect(attempt).rejects.toThrow(
    "LIBSQL_URL names a server that does not answer (ECONNREFUSED): start",
  );
});

test.each([
  [404, "LIBSQL_REPLICA_URL is not the address of a libSQL server (it answered with HTTP 404): correct it."],
  [200, "LIBSQL_REPLICA_URL is not the address of a libSQL server (it answered with no libSQL): correct it."],
  [502, "LIBSQL_REPLICA_URL names a server that does not answer"],
  [401, "LIBSQL_AUTH_TOKEN is refused by the server of LIBSQL_REPLICA_URL (HTTP 401): set it to a token"],
])("a server that answers %i is refused", async (answer, message) => {
  status = answer;
  const settings = { LIBSQL_REPLICA_URL: `http://127.0.0.1:${port}`, LIBSQL_AUTH_TOKEN: "hunter2" };
  const attempt = checkLibsql(settings);
  await expect(attempt).rejects.toThrow(message);
  await expect(attempt).rejects.not.toThrow("hunter2");
});
