import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { etagMatches } from "#app/platform/etag.server.ts";
import { call, door } from "./door.server.ts";
import { openApiDocument } from "./openapi-document.server.ts";

/** Made once for each table of calls there is, which is one. */
const documents = new WeakMap<AppLoadContext["calls"], Promise<{ text: string; etag: string }>>();

function documentOf({ calls }: AppLoadContext) {
  const made = documents.get(calls) ?? makeDocument(calls);
  documents.set(calls, made);
  return made;
}

async function makeDocument(paths: AppLoadContext["calls"]) {
  const text = JSON.stringify(openApiDocument(paths));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const tag = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { text, etag: `W/"${tag}"` };
}

export const loader = door({
  GET: call({
    subject: "This description",
    summary: "The calls as an OpenAPI document",
    who: "anyone",
    answer: z.looseObject({ openapi: z.string() }),
    tagged: true,
    async make({ request, context }) {
      const { text, etag } = await documentOf(context);
      const headers = { ETag: etag, "Cache-Control": "public, no-cache" };
      if (etagMatches(request, headers.ETag)) return new Response(null, { status: 304, headers });
      return new Response(text, { headers: { ...headers, "Content-Type": "application/json" } });
    },
  }),
});
