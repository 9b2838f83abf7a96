import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { LocalServer } from "../../scripts/local-server.ts";
import { visitor } from "./visitor.ts";

/** The parts of the OpenAPI document that the tests read. */
interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

export interface Operation {
  operationId: string;
  "x-access": string;
  security: object[];
  parameters: { name: string; in: "path" | "query" | "header"; required?: boolean; schema: object }[];
  requestBody?: { content: { "application/json"?: { schema: object; example?: object } } };
  responses: Record<string, DocumentedResponse>;
}

interface DocumentedResponse {
  headers?: Record<string, unknown>;
  content?: Record<string, object>;
}

/** A response whose body was read. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type it expects.
  body: any;
}

/** The header that a response must have, by status. */
const requiredHeaders: Record<number, string> = { 401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After" };

/** The API as the OpenAPI document describes it. */
export interface Contract {
  document: OpenApiDocument;
  /** All operations; `template` is the path with its parameters in braces. */
  operations: { method: string; template: string; operation: Operation }[];
  /** Validates the body of a request; undefined when the operation takes none. */
  requestBodyValidator(method: string, template: string): ValidateFunction | undefined;
  /** Throws unless the document allows the response to the request. */
  validateResponse(request: { method: string; path: string }, response: ApiResponse): void;
}

const contracts = new WeakMap<Pick<LocalServer, "url">, Promise<Contract>>();

/** Reads and caches a server's OpenAPI document. */
export function readContract(server: Pick<LocalServer, "url">): Promise<Contract> {
  const known = contracts.get(server) ?? parseContract(server);
  contracts.set(server, known);
  return known;
}

async function parseContract(server: Pick<LocalServer, "url">): Promise<Contract> {
  const response = await visitor(server).get("/openapi.json");
  const document = (await response.json()) as OpenApiDocument;
  // Not strict, because OpenAPI has keywords of its own around the schemas.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");

  const compiled = new Map<string, ValidateFunction>();
  function validator(...steps: string[]): ValidateFunction {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")));
    const $ref = `document#/${pointer.join("/")}`;
    const known = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, known);
    return known;
  }

  const operations = Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      operation,
    })),
  );

  function validateResponse({ method, path }: { method: string; path: string }, response: ApiResponse) {
    const pathname = path.split("?")[0] ?? "";
    const what = `${method} ${path} responded ${response.status} ${response.text.slice(0, 500)}`;
    const template = Object.keys(document.paths).find((each) => patternOf(each).test(pathname));
    if (!template) throw new Error(`The document has no such path: ${what}`);
    validateCommon(response, what);
    const pathItem = document.paths[template] ?? {};
    const operationMethod = method === "HEAD" ? "get" : method.toLowerCase();
    if (method === "OPTIONS" && response.status < 400) {
      const answer = [response.status, response.text, response.headers.get("Allow")];
      assert.deepEqual(answer, [204, "", allowHeader(pathItem, template)], what);
      return;
    }
    const operation = pathItem[operationMethod];
    if (!operation) {
      assert.deepEqual(
        [response.status, response.headers.get("Allow")],
        [405, allowHeader(pathItem, template)],
        what,
      );
      if (method !== "HEAD") validateBody(validator("components", "schemas", "Problem"), response.body, what);
      return;
    }
    const described = operation.responses[response.status];
    if (!described) throw new Error(`The document has no such status: ${what}`);
    for (const name of [requiredHeaders[response.status]]) {
      if (name) assert.ok(response.headers.has(name), `${name}: ${what}`);
    }
    const type = response.headers.get("Content-Type")?.split(";")[0] ?? "";
    if (!described.content) {
      assert.deepEqual([response.text, type], ["", ""], what);
      return;
    }
    assert.ok(type in described.content, what);
    if (method === "HEAD") assert.equal(response.text, "", what);
    else {
      const place = [
        "paths",
        template,
        operationMethod,
        "responses",
        String(response.status),
        "content",
        type,
        "schema",
      ];
      validateBody(validator(...place), response.body, what);
    }
  }

  function requestBodyValidator(method: string, template: string) {
    const operationMethod = method.toLowerCase();
    if (!document.paths[template]?.[operationMethod]?.requestBody?.content["application/json"])
      return undefined;
    return validator(
      "paths",
      template,
      operationMethod,
      "requestBody",
      "content",
      "application/json",
      "schema",
    );
  }

  return { document, operations, requestBodyValidator, validateResponse };
}

function validateCommon({ status, headers, text, body }: ApiResponse, what: string) {
  assert.doesNotMatch(text, /<!doctype|<html|node_modules|\n\s+at |\.tsx?:\d+/i, what);
  assert.equal(headers.get("X-Content-Type-Options"), "nosniff", what);
  assert.match(headers.get("Vary") ?? "", /\bOrigin\b/i, what);
  assert.ok(headers.has("Cache-Control"), what);
  if (status < 400) return;
  assert.equal(headers.get("Content-Type"), "application/problem+json", what);
  assert.equal(headers.get("Cache-Control"), "no-store", what);
  if (text) assert.equal(body.status, status, what);
}

function validateBody(validate: ValidateFunction, body: unknown, what: string) {
  if (!validate(body)) throw new Error(`${what}\ndoes not fit: ${JSON.stringify(validate.errors)}`);
}

/** Of a path that a page has, too, the methods of both. */
export function allowHeader(operations: object, template: string): string {
  const ofPage = template === "/phones/{id}" ? ["GET"] : [];
  const methods = [...ofPage, ...Object.keys(operations).map((method) => method.toUpperCase())];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
}

function patternOf(template: string): RegExp {
  const literal = template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${literal}/*$`, "i");
}

/** The specification's table of requests. */
export const specifiedOperations = [
  "GET /phoneInfoCollection",
  "GET /phoneInfoCollection/{category}/{type}",
  "GET /phoneInfoCollection/{category}",
  "POST /phoneInfoCollection",
  "GET /allPhoneInfo",
  "DELETE /phones/delete/{id}",
  "POST /bookings",
  "GET /bookings",
  "DELETE /bookings/delete/{id}",
  "GET /users",
  "DELETE /users/delete/{id}",
  "GET /sellers",
  "PUT /seller/verify/{id}",
  "GET /users/admin/{email}",
  "GET /users/seller/{email}",
  "POST /users",
  "GET /jwt",
  "GET /report",
  "POST /report",
];
