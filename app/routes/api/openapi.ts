import { z } from "zod";
import { sha256Hex } from "#app/server/config/crypto.server.ts";
import { etagMatches } from "#app/server/http/request.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { openApiDocument } from "./openapi-document.server.ts";

let document: string | undefined;

const route = defineApiRoute({
  GET: operation({
    tag: "This description",
    summary: "Get the API as an OpenAPI document",
    access: "anyone",
    response: z.looseObject({ openapi: z.string() }),
    hasETag: true,
    async handle({ request, context }) {
      document ??= JSON.stringify(openApiDocument(context.apiPaths));
      const headers = { ETag: `W/"${await sha256Hex(document)}"`, "Cache-Control": "public, no-cache" };
      if (etagMatches(request, headers.ETag)) return new Response(null, { status: 304, headers });
      return new Response(document, { headers: { ...headers, "Content-Type": "application/json" } });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
