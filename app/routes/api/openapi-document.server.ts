import { z } from "zod";
import { brand } from "#app/brand.ts";
import {
  type ApiPath,
  type OperationDescription,
  refusesTokens,
} from "#app/server/api/api-operations.server.ts";
import { defaultMaxBodyKiB } from "#app/server/http/security.server.ts";
import { problemRecord, recordNames } from "./record-fields.ts";

/** The errors that operations share. An operation adds its own reasons. */
const commonErrors: Record<number, string> = {
  400: "The body isn’t JSON, or the Idempotency-Key is invalid.",
  401: "You’re not logged in, or your token is invalid or expired.",
  403: "You or your personal access token doesn’t have permission, or the request comes from a page on an origin that isn’t allowed.",
  405: "This path doesn’t support the method. `Allow` lists the ones it does.",
  409: "The first request with this Idempotency-Key is still running.",
  415: "The content type isn’t JSON in UTF-8.",
  422: "Some values are invalid: `errors` lists them. Or you’ve used this Idempotency-Key with another body.",
  429: "Too many requests from your address. `Retry-After` says how many seconds to wait.",
  500: "Something went wrong on our side.",
};

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
        "Log in at `/login`, or sign up with `POST /users`. Either one sets a session cookie. No cookies? Send a bearer token: a personal access token from `/manage/account/tokens`, which works from anywhere, or a session token from `GET /jwt`.",
    },
    paths: Object.fromEntries(pathItems),
    components: {
      schemas: recordSchemas(),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "From `GET /jwt`. Valid for an hour, or until your session ends.",
        },
        personalAccessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "rb_…",
          description:
            "Create one at `/manage/account/tokens`, to read or to read and write. It works until it expires or you revoke it, for your own account: it can’t manage accounts or do what staff can.",
        },
        session: { type: "apiKey", in: "cookie", name: "__Host-session" },
      },
    },
  };
}

function describe(method: string, path: string, operation: OperationDescription) {
  const { tag, summary, description, access, params, query, response, responseType, hasETag } = operation;
  const content = bodyContent(operation);
  const successes = {
    200: {
      description: operation.paginated ? "The list, or one page of it with `limit`." : "Success.",
      headers: {
        ...(operation.paginated && { Link: textHeader('The next page, as rel="next".') }),
        ...(hasETag && { ETag: textHeader("This version of the response.") }),
      },
      content: responseType
        ? { [responseType]: { schema: {} } }
        : { "application/json": { schema: schemaOf(response, "output") } },
    },
    ...(hasETag && { 304: { description: "You already have the current version." } }),
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
function securityOf(method: string, operation: OperationDescription) {
  const personalAccessToken = [method === "GET" ? "read" : "write"];
  return [
    ...(operation.access === "anyone" ? [{}] : []),
    { token: [] },
    { session: [] },
    ...(refusesTokens(operation) ? [] : [{ personalAccessToken }]),
  ];
}

function errorsOf(
  method: string,
  {
    access,
    params,
    query,
    body,
    fileTypes,
    maxBodyKiB: maxKiB = defaultMaxBodyKiB,
    errors = {},
  }: OperationDescription,
) {
  const statuses = [405, 500];
  const shared: typeof commonErrors = { ...commonErrors, 413: `The body is larger than ${maxKiB} KiB.` };
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
      const common = statuses.includes(status) ? shared[status] : undefined;
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
  description: "Retry with the same key and body to get the first response again. Nothing happens twice.",
  schema: { type: "string", minLength: 1, maxLength: 200, pattern: "^[!#-~]+$" },
};

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of the version you have.",
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
