import { z } from "zod";
import { etagMatches } from "#app/platform/etag.server.ts";
import { call, door } from "./door.server.ts";
import { openApiDocument } from "./openapi-document.server.ts";

export const loader = door({
  GET: call({
    subject: "This description",
    summary: "The calls as an OpenAPI document",
    who: "anyone",
    answer: z.looseObject({ openapi: z.string() }),
    tagged: true,
    async make({ request, context }) {
      const text = JSON.stringify(openApiDocument(context.calls.paths));
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      const tag = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const headers = { ETag: `W/"${tag}"`, "Cache-Control": "public, no-cache" };
      if (etagMatches(request, headers.ETag)) return new Response(null, { status: 304, headers });
      return new Response(text, { headers: { ...headers, "Content-Type": "application/json" } });
    },
  }),
});
export const action = loader;
