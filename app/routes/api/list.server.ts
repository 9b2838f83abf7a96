import { z } from "zod";
import { type Cursor, idKey, readInBatches } from "#app/db/cursor.ts";
import { publicPath } from "#app/server/api/api-operations.server.ts";
import { etagMatches } from "#app/server/http/request.server.ts";
import { streamText } from "#app/server/http/responses.server.ts";

/** Rows for each read: few at first, so that the response starts soon. */
const firstBatchSize = 100;
const batchSize = 1000;
const maxPageSize = 1000;

export const listQuerySchema = z.object({
  limit: z
    .string()
    // No pattern: in the OpenAPI document it is a number.
    .refine(
      (limit) => /^([1-9]\d{0,2}|1000)$/.test(limit),
      `limit must be a whole number from 1 to ${maxPageSize}`,
    )
    .transform(Number)
    .meta({ type: "integer", minimum: 1, maximum: maxPageSize })
    .optional(),
  cursor: z.string().regex(idKey, "cursor must come from a Link header").optional(),
});

/** Reads rows of a list, newest first, and converts a row into an API record. */
interface List<Row extends { id: string }> {
  read(cursor: Cursor, limit: number): Promise<Row[]>;
  record(row: Row): unknown;
}

/** Responds with one page and a link to the next if there is a `limit`, else streams the whole list. */
export async function listResponse<Row extends { id: string }>(
  request: Request,
  { limit, cursor }: z.output<typeof listQuerySchema>,
  { read, record }: List<Row>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const start = cursor === undefined ? null : { after: cursor };
  if (limit === undefined) return streamed({ read, record }, start, headers);
  const rows = await read(start, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (last && rows.length > limit) {
    const next = new URL(request.url);
    next.searchParams.set("cursor", last.id);
    return Response.json(page.map(record), {
      headers: { ...headers, Link: `<${publicPath(next.pathname)}${next.search}>; rel="next"` },
    });
  }
  return Response.json(page.map(record), { headers });
}

/** Responds with a list and its ETag, or with 304. The version is read in one round trip with the first rows. */
export async function cacheableListResponse<Row extends { id: string }>(
  request: Request,
  query: z.output<typeof listQuerySchema>,
  list: List<Row>,
  readVersion: () => Promise<string>,
): Promise<Response> {
  const headers = { "Cache-Control": "public, no-cache" };
  const [version, response] = await Promise.all([readVersion(), listResponse(request, query, list, headers)]);
  const etag = `W/"${version}"`;
  response.headers.set("ETag", etag);
  if (!etagMatches(request, etag)) return response;
  await response.body?.cancel();
  return new Response(null, { status: 304, headers: { ...headers, ETag: etag } });
}

async function streamed<Row extends { id: string }>(
  list: List<Row>,
  cursor: Cursor,
  headers: Record<string, string>,
): Promise<Response> {
  const body = await streamText(arrayText(list, cursor));
  return new Response(body, { headers: { "Content-Type": "application/json", ...headers } });
}

async function* arrayText<Row extends { id: string }>(
  { read, record }: List<Row>,
  cursor: Cursor,
): AsyncGenerator<string, void> {
  let opening = "[";
  for await (const rows of readInBatches(read, {
    start: cursor,
    firstSize: firstBatchSize,
    size: batchSize,
  })) {
    yield opening + rows.map((row) => JSON.stringify(record(row))).join(",");
    opening = ",";
  }
  yield opening === "[" ? "[]" : "]";
}
