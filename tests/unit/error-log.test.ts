import type { AppLoadContext } from "@remix-run/cloudflare";
import { afterEach, expect, test, vi } from "vitest";
import { handleError } from "#app/entry.server.tsx";

afterEach(() => vi.restoreAllMocks());

/** The references of the lines that an error writes. */
function linesOf(error: unknown, signal?: AbortSignal) {
  const log = vi
    .spyOn(console, "error")
    .mockReset()
    .mockImplementation(() => {});
  const request = new Request("http://localhost/manage/unread", { signal });
  handleError(error, { request, params: {}, context: { reference: "one" } as AppLoadContext });
  return log.mock.calls.map(([line]) => JSON.parse(line).reference);
}

const routeError = (status: number) => ({ status, statusText: "", internal: false, data: "" });

test("each error that is answered with 500 has a line in the log, but not what ends as the client leaves", () => {
  expect(linesOf(new Error("lost"))).toEqual(["one"]);
  expect(linesOf(new Error("queryRoute() call aborted"), AbortSignal.abort())).toEqual([]);
});

test("a response that a route throws has a line only if it is a 500", () => {
  expect(linesOf(routeError(404))).toEqual([]);
  expect(linesOf(routeError(503))).toEqual([]);
  expect(linesOf(routeError(500))).toEqual(["one"]);
});
