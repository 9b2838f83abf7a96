import { z } from "zod";
import type { CallDescription, CallPath } from "#app/platform/calls.server.ts";
import { recordNames } from "./records.ts";

/** Why calls are refused in general; a call's own reasons come on top. */
const commonRefusals: Record<number, string> = {
  400: "The body is not JSON, or the Idempotency-Key is not one.",
  401: "Nobody is signed in, or the token does not hold.",
  403: "The caller may not, or a page of an origin that is not let in has sent this.",
  405: "The path knows other methods; `Allow` names them.",
  409: "The first call with this Idempotency-Key is still at work.",
  413: "The body is larger than 64 KiB.",
  415: "The body is not said to be JSON.",
  422: "Some values do not fit: `errors` names each of them. Or the Idempotency-Key was used with another body.",
  429: "Too many calls from one address; `Retry-After` says in how many seconds to try again.",
  500: "Something went wrong on our side.",
};

const faults = z.array(
  z.object({
    detail: z.string(),
    pointer: z.string().optional().describe("Where in the body, as a JSON pointer."),
    parameter: z.string().optional().describe("Which part of the path or the query."),
  }),
);

/** Problem details. @see https://www.rfc-editor.org/rfc/rfc9457 */
const problemRecord = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: faults.optional(),
  })
  .register(recordNames, { id: "Problem" });

/** How a call names who may make it. */
const security = [{ token: [] }, { session: [] }];

/**
 * Describes the calls by the schemas that check them.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiDocument(paths: readonly CallPath[]) {
  const sortedPaths = paths.map(({ path, calls }) => {
    const operations = Object.entries(calls).map(
      ([method, call]) => [method.toLowerCase(), operation(method, path, call)] as const,
    );
    return [path.replaceAll(/:(\w+)/g, "{$1}"), Object.fromEntries(operations)] as const;
  });
  return {
    openapi: "3.1.1",
    info: {
      title: "Ringback",
      version: "1",
      summary: "The calls of a marketplace for used phones and tablets.",
      description:
        "Sign in with the form of `/login` or by `POST /users`, which set a session cookie, and ask `GET /jwt` for a bearer token where cookies are in the way.",
    },
    paths: Object.fromEntries(sortedPaths),
    components: {
      schemas: recordSchemas(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        session: { type: "apiKey", in: "cookie", name: "__Host-session" },
      },
    },
  };
}

function operation(method: string, path: string, call: CallDescription) {
  const { subject, summary, description, who, params, query, body, answer, tagged } = call;
  const answers = {
    200: {
      description: call.paged ? "The list; with `limit`, a page of it." : "Done.",
      headers: {
        ...(call.paged && { Link: textHeader('The next page, as rel="next".') }),
        ...(tagged && { ETag: textHeader("Changes when the answer does.") }),
      },
      content: { "application/json": { schema: schemaOf(answer, "output") } },
    },
    ...(tagged && { 304: { description: "What the client has is what there is." } }),
  };
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    tags: [subject],
    summary,
    ...(description && { description }),
    security: who === "anyone" ? [{}, ...security] : security,
    "x-who": who,
    parameters: [
      ...parametersOf("path", params),
      ...parametersOf("query", query),
      ...(method === "POST" ? [idempotencyKey] : []),
      ...(tagged ? [ifNoneMatch] : []),
    ],
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } },
    }),
    responses: { ...answers, ...problemsOf(method, call) },
  };
}

/** What a call may be refused for, by status. */
function problemsOf(method: string, { who, params, query, body, refusals = {} }: CallDescription) {
  const statuses = [405, 500];
  const writes = method !== "GET";
  if (who !== "anyone") statuses.push(401);
  if (who !== "anyone" || writes) statuses.push(403);
  if (params || query || body) statuses.push(422);
  if (writes) statuses.push(413, 429);
  if (body) statuses.push(400, 409, 415);
  const all = new Set([...statuses, ...Object.keys(refusals).map(Number)]);
  return Object.fromEntries(
    [...all].map((status) => {
      const own = refusals[status];
      const common = statuses.includes(status) ? commonRefusals[status] : undefined;
      const headers = { 401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After" }[status];
      return [
        status,
        {
          description: [own, common].filter(Boolean).join(" Or: "),
          ...(headers && { headers: { [headers]: textHeader() } }),
          content: { "application/problem+json": { schema: schemaOf(problemRecord, "output") } },
        },
      ];
    }),
  );
}

const textHeader = (description?: string) => ({
  ...(description && { description }),
  schema: { type: "string" },
});

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "A repeat with the same key and body is answered as the first call was, and does nothing.",
  schema: { type: "string", minLength: 1, maxLength: 200, pattern: "^[!#-~]+$" },
};

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of what the client has.",
  schema: { type: "string" },
};

function parametersOf(place: "path" | "query", schema: z.ZodObject | undefined) {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input");
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A schema as JSON Schema; records stand among the components, under their names. */
function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const record = recordNames.get(schema);
  if (record) return { $ref: componentUri(record.id) };
  if (schema instanceof z.ZodArray) return { type: "array", items: schemaOf(schema.element, io) };
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}

function recordSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(recordNames, { uri: componentUri });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: _id, ...json }]) => [name, json]),
  );
}

function componentUri(name: string): string {
  return `#/components/schemas/${name}`;
}
