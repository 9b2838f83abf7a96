import { z } from "zod";
import { brand } from "#app/brand.ts";
import type { ApiPath, OperationDescription } from "#app/server/api/api-operations.server.ts";
import { recordNames } from "./record-fields.ts";

/** The errors that operations share. An operation adds its own reasons. */
const commonErrors: Record<number, string> = {
  400: "The body is not JSON, or the Idempotency-Key is invalid.",
  401: "The client is not logged in, or the token is invalid or expired.",
  403: "The caller or their personal access token does not have permission, or the request comes from a page of an origin that is not allowed.",
  405: "The path does not have this method. `Allow` lists those it has.",
  409: "The first request with this Idempotency-Key is still in progress.",
  413: "The body is larger than 64 KiB.",
  415: "The content type is not JSON in UTF-8.",
  422: "Some values are invalid: `errors` lists them. Or the Idempotency-Key was used with another body.",
  429: "Too many requests from one address. `Retry-After` says after how many seconds to try again.",
  500: "Something went wrong on our side.",
};

const fieldErrors = z.array(
  z.object({
    detail: z.string(),
    pointer: z.string().optional().describe("Where in the body, as a JSON pointer."),
    parameter: z.string().optional().describe("The name of the parameter in the path or the query."),
  }),
);

const problemRecord = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: fieldErrors.optional(),
  })
  .register(recordNames, { id: "Problem" });

/** Generates the OpenAPI document. @see https://spec.openapis.org/oas/v3.1.1.html */
export function openApiDocument(paths: readonly ApiPath[]) {
  const pathItems = paths.map(({ path, operations }) => {
    const operationObjects = Object.entries(operations).map(
      ([method, each]) => [method.toLowerCase(), describe(method, path, each)] as const,
    );
    return [path.replaceAll(/:(\w+)/g, "{$1}"), Object.fromEntries(operationObjects)] as const;
  });
  return {
    openapi: "3.1.1",
    info: {
      title: brand.name,
      version: "1",
      summary: "The REST API of a marketplace for used phones and tablets.",
      description:
        "Log in with the form of `/login`, or sign up with `POST /users`. Both set a session cookie. Clients without cookies send a bearer token: a personal access token from `/manage/account/tokens`, which works from anywhere, or a token of the session from `GET /jwt`.",
    },
    paths: Object.fromEntries(pathItems),
    components: {
      schemas: recordSchemas(),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "From `GET /jwt`. Valid for one hour at most, and only while its session lasts.",
        },
        personalAccessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "rb_…",
          description:
            "Made by its owner at `/manage/account/tokens`, for reading or for reading and writing, until it expires or is revoked. It manages no accounts.",
        },
        session: { type: "apiKey", in: "cookie", name: "__Host-session" },
      },
    },
  };
}

function describe(method: string, path: string, operation: OperationDescription) {
  const { tag, summary, description, access, params, query, response, hasETag } = operation;
  const content = bodyContent(operation);
  const successes = {
    200: {
      description: operation.paginated ? "The list, or with `limit` a page of it." : "Success.",
      headers: {
        ...(operation.paginated && { Link: textHeader('The next page, as rel="next".') }),
        ...(hasETag && { ETag: textHeader("The version of the response.") }),
      },
      content: { "application/json": { schema: schemaOf(response, "output") } },
    },
    ...(hasETag && { 304: { description: "The client has the current version." } }),
  };
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(method, operation),
    "x-access": access,
    parameters: [
      ...parametersOf("path", params),
      ...parametersOf("query", query),
      ...(method === "POST" && !operation.fileTypes ? [idempotencyKey] : []),
      ...(hasETag ? [ifNoneMatch] : []),
    ],
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...successes, ...errorsOf(method, operation) },
  };
}

/** The types of a request's body; null if it has none. */
function bodyContent({
  body,
  example,
  fileTypes,
}: OperationDescription): Record<string, { schema: JsonSchema; example?: object }> | null {
  if (body) return { "application/json": { schema: schemaOf(body, "input"), example } };
  if (!fileTypes) return null;
  // Of a file, the type says all.
  return Object.fromEntries(fileTypes.split(",").map((type) => [type, { schema: {} }]));
}

/** Alternatives: each object is one way to authenticate. */
function securityOf(method: string, { access, needsSession = false }: OperationDescription) {
  const personalAccessToken = [method === "GET" ? "read" : "write"];
  return [
    ...(access === "anyone" ? [{}] : []),
    { token: [] },
    { session: [] },
    ...(needsSession ? [] : [{ personalAccessToken }]),
  ];
}

function errorsOf(
  method: string,
  { access, params, query, body, fileTypes, errors = {} }: OperationDescription,
) {
  const statuses = [405, 500];
  const writes = method !== "GET";
  if (access !== "anyone") statuses.push(401);
  if (access !== "anyone" || writes) statuses.push(403);
  if (params || query || body) statuses.push(422);
  if (writes) statuses.push(429);
  // Files have a limit of their own.
  if (writes && !fileTypes) statuses.push(413);
  if (body) statuses.push(400, 409, 415);
  const all = new Set([...statuses, ...Object.keys(errors).map(Number)]);
  return Object.fromEntries(
    [...all].map((status) => {
      const own = errors[status];
      const common = statuses.includes(status) ? commonErrors[status] : undefined;
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
  description:
    "A retry with the same key and body gets the response of the first request and changes nothing.",
  schema: { type: "string", minLength: 1, maxLength: 200, pattern: "^[!#-~]+$" },
};

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of the version that the client has.",
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

/** Converts a schema to JSON Schema, with references to the records in `components`. */
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
