import { z } from "zod";
import { sha256Hex } from "#app/server/config/crypto.server.ts";
import { etagMatches, publicOrigin } from "#app/server/http/request.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";

let document = { origin: "", text: "" };

const routes = defineApiRoutes({
  "/openapi.json": {
    GET: operation({
      tag: "This description",
      summary: "Get the API as an OpenAPI document",
      access: "anyone",
      response: z.looseObject({ openapi: z.string() }),
      hasETag: true,
      async handle({ request, context }) {
        const origin = publicOrigin(context, request);
        if (document.origin !== origin) {
          // Loaded on demand: few requests need it.
          const { openApiDocument } = await import("./openapi-document.server.ts");
          const described = { ...openApiDocument(context.apiPaths), servers: [{ url: origin }] };
          document = { origin, text: JSON.stringify(described) };
        }
        const { text } = document;
        const headers = { ETag: `W/"${await sha256Hex(text)}"`, "Cache-Control": "public, no-cache" };
        if (etagMatches(request, headers.ETag)) return new Response(null, { status: 304, headers });
        return new Response(text, { headers: { ...headers, "Content-Type": "application/json" } });
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
