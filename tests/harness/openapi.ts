import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { Market } from "../../scripts/market.ts";

/** What a test reads of the market's description of its calls. */
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

export interface Operation {
  operationId: string;
  security: object[];
  parameters: { name: string; in: "path" | "query" | "header"; required?: boolean; schema: object }[];
  requestBody?: { content: { "application/json": { schema: object } } };
  responses: Record<string, Described>;
}

interface Described {
  headers?: Record<string, unknown>;
  content?: Record<string, object>;
}

/** An answer as it came, with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body, when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the test finds out.
  body: any;
}

/** The headers that a kind of answer must bear, by its status. */
const dueHeaders: Record<number, string> = { 401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After" };

/** The calls of a market as its own document describes them. */
export interface Contract {
  document: OpenApiDocument;
  /** Every call of the document: its method and its path with the parameters in braces. */
  calls: { method: string; template: string; operation: Operation }[];
  /** A validator of what the document says about a body that a call takes. */
  bodyOf(method: string, template: string): ValidateFunction | undefined;
  /** Fails unless an answer is one that the document gives for such a request. */
  hold(request: { method: string; path: string }, answer: Answer): void;
}

const contracts = new WeakMap<Pick<Market, "url">, Promise<Contract>>();

/** Reads a market's document, once for each market. */
export function contractOf(market: Pick<Market, "url">): Promise<Contract> {
  const known = contracts.get(market) ?? readContract(market);
  contracts.set(market, known);
  return known;
}

async function readContract(market: Pick<Market, "url">): Promise<Contract> {
  const answer = await fetch(new URL("/openapi.json", market.url));
  const document = (await answer.json()) as OpenApiDocument;
  // OpenAPI has words of its own around the schemas, so unknown ones are no mistake.
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

  const calls = Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      operation,
    })),
  );

  function hold({ method, path }: { method: string; path: string }, answer: Answer) {
    const pathname = path.split("?")[0] ?? "";
    const what = `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 500)}`;
    const template = Object.keys(document.paths).find((each) => patternOf(each).test(pathname));
    if (!template) throw new Error(`There is no path for it in the document: ${what}`);
    holdEveryAnswer(answer, what);
    const operations = document.paths[template] ?? {};
    const told = method === "HEAD" ? "get" : method.toLowerCase();
    if (method === "OPTIONS" && answer.status < 400) {
      expect([answer.status, answer.text, answer.headers.get("Allow")], what).toEqual([
        204,
        "",
        allowed(operations),
      ]);
      return;
    }
    const operation = operations[told];
    if (!operation) {
      expect([answer.status, answer.headers.get("Allow")], what).toEqual([405, allowed(operations)]);
      if (method !== "HEAD") holdBody(validator("components", "schemas", "Problem"), answer.body, what);
      return;
    }
    const described = operation.responses[answer.status];
    if (!described) throw new Error(`The document has no such status: ${what}`);
    for (const name of [dueHeaders[answer.status]]) {
      if (name) expect(answer.headers.get(name), `${name}: ${what}`).not.toBeNull();
    }
    const type = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
    if (!described.content) {
      expect([answer.text, type], what).toEqual(["", ""]);
      return;
    }
    expect(Object.keys(described.content), what).toContain(type);
    if (method === "HEAD") expect(answer.text, what).toBe("");
    else {
      const place = ["paths", template, told, "responses", String(answer.status), "content", type, "schema"];
      holdBody(validator(...place), answer.body, what);
    }
  }

  function bodyOf(method: string, template: string) {
    const told = method.toLowerCase();
    if (!document.paths[template]?.[told]?.requestBody) return undefined;
    return validator("paths", template, told, "requestBody", "content", "application/json", "schema");
  }

  return { document, calls, bodyOf, hold };
}

/** What no answer to a program may lack or hold, whatever it is about. */
function holdEveryAnswer({ status, headers, text, body }: Answer, what: string) {
  expect(text, what).not.toMatch(/<!doctype|<html|node_modules|\n\s+at |\.tsx?:\d+/i);
  expect(headers.get("X-Content-Type-Options"), what).toBe("nosniff");
  expect(headers.get("Vary") ?? "", what).toMatch(/\bOrigin\b/i);
  expect(headers.get("Cache-Control"), what).not.toBeNull();
  if (status < 400) return;
  expect(headers.get("Content-Type"), what).toBe("application/problem+json");
  expect(headers.get("Cache-Control"), what).toBe("no-store");
  if (text) expect(body.status, what).toBe(status);
}

function holdBody(validate: ValidateFunction, body: unknown, what: string) {
  if (!validate(body)) throw new Error(`${what}\ndoes not fit: ${JSON.stringify(validate.errors)}`);
}

/** The methods of a path as `Allow` tells them. */
export function allowed(operations: object): string {
  const methods = Object.keys(operations).map((method) => method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
}

/** Which addresses a path of the document stands for. */
function patternOf(template: string): RegExp {
  const literal = template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${literal}/*$`, "i");
}
