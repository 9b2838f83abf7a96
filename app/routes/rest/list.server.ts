import { z } from "zod";
import type { Slice } from "#app/db/page.ts";
import { withoutEnding } from "#app/platform/calls.server.ts";
import { etagMatches } from "#app/platform/etag.server.ts";
import { streamOf } from "#app/platform/text-stream.server.ts";

/** Records read from the database at once: few at first, so that the answer begins soon, then as many as pay. */
const firstBatch = 100;
const batch = 1000;
const mostPerPage = 1000;

/** How any list may be read in pages. */
export const pageQuery = z.object({
  limit: z
    .string()
    .regex(/^([1-9]\d{0,2}|1000)$/, `limit must be a whole number from 1 to ${mostPerPage}`)
    .transform(Number)
    .meta({ type: "integer", minimum: 1, maximum: mostPerPage })
    .optional(),
  cursor: z
    .string()
    .regex(/^[0-9a-f-]{36}$/, "cursor must be the one of a Link header")
    .optional(),
});

/** A list to be answered: how a stretch of it is read, and what a row looks like to a client. */
interface List<Row extends { id: string }> {
  read(slice: Slice): Promise<Row[]>;
  record(row: Row): unknown;
}

/**
 * Answers a list as an array of JSON: all of it, read and sent in batches, so that memory stays flat however long
 * it is; or with `limit` one page, and a link to the next.
 *
 * @param headers more of them
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export async function listAnswer<Row extends { id: string }>(
  request: Request,
  { limit, cursor }: z.output<typeof pageQuery>,
  { read, record }: List<Row>,
  headers: Record<string, string> = {},
): Promise<Response> {
  if (limit === undefined) return streamed({ read, record }, cursor ?? null, headers);
  // One more than a page tells whether there is a further one.
  const rows = await read({ after: cursor ?? null, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (last && rows.length > limit) {
    const next = new URL(request.url);
    next.searchParams.set("cursor", last.id);
    return Response.json(page.map(record), {
      headers: { ...headers, Link: `<${withoutEnding(next.pathname)}${next.search}>; rel="next"` },
    });
  }
  return Response.json(page.map(record), { headers });
}

/**
 * Answers a list that everybody may see, unless the client has it as it stands.
 *
 * @param tagOf reads what the list is tagged with; in the round trip of its first rows, so that the two agree
 */
export async function taggedListAnswer<Row extends { id: string }>(
  request: Request,
  query: z.output<typeof pageQuery>,
  list: List<Row>,
  tagOf: () => Promise<string>,
): Promise<Response> {
  const headers = { "Cache-Control": "public, no-cache" };
  const [tag, answer] = await Promise.all([tagOf(), listAnswer(request, query, list, headers)]);
  answer.headers.set("ETag", `W/"${tag}"`);
  if (!etagMatches(request, `W/"${tag}"`)) return answer;
  await answer.body?.cancel();
  return new Response(null, { status: 304, headers: { ...headers, ETag: `W/"${tag}"` } });
}

async function streamed<Row extends { id: string }>(
  list: List<Row>,
  cursor: string | null,
  headers: Record<string, string>,
): Promise<Response> {
  const body = await streamOf(arrayText(list, cursor));
  return new Response(body, { headers: { "Content-Type": "application/json", ...headers } });
}

/** A list as the text of a JSON array, batch by batch. */
async function* arrayText<Row extends { id: string }>(
  { read, record }: List<Row>,
  cursor: string | null,
): AsyncGenerator<string, void> {
  let opening = "[";
  for await (const rows of batches(read, cursor)) {
    yield opening + rows.map((row) => JSON.stringify(record(row))).join(",");
    opening = ",";
  }
  yield opening === "[" ? "[]" : "]";
}

async function* batches<Row extends { id: string }>(read: List<Row>["read"], cursor: string | null) {
  let after = cursor;
  for (let limit = firstBatch; ; limit = batch) {
    const rows = await read({ after, limit });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < limit) return;
    after = last.id;
  }
}
