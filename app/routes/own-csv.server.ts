import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { brand } from "#app/brand.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { plainText, streamText } from "#app/server/http/responses.server.ts";

/** Streams what a seller exports of their own, within the limit. */
export async function ownCsv(
  { context, request }: Pick<LoaderFunctionArgs, "context" | "request">,
  name: string,
  exportRows: () => Promise<AsyncGenerator<string, void>>,
) {
  const refusal = await rateLimitRefusal(context, "export data", request);
  if (refusal) {
    const { formErrors = [], retryAfter } = refusal;
    return plainText(429, formErrors.join(" "), { "Retry-After": String(retryAfter) });
  }
  return csvFile(name, await exportRows());
}

/** A CSV file of this name and day. */
export async function csvFile(name: string, rows: AsyncGenerator<string, void>) {
  const date = new Date().toISOString().slice(0, 10);
  return new Response(await streamText(rows), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${brand.name.toLowerCase()}-${name}-${date}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}
