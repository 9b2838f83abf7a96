import type { CallPath } from "#app/platform/calls.server.ts";
import { openApiDocument } from "../../rest/openapi-document.server.ts";

type Document = ReturnType<typeof openApiDocument>;
type Operation = Document["paths"][string][string];
type Schema = Document["components"]["schemas"][string];

/** One value that is sent or answered. */
export interface Part {
  name: string;
  /** In words: "text", "number or text". */
  type: string;
  required: boolean;
  description: string | null;
}

/** A call as the page shows it. */
export type CallReference = ReturnType<typeof callReference>;

/** The document at `/openapi.json` as a reader wants it: the calls by their subject, and the records they speak of. */
export function reference(paths: readonly CallPath[]) {
  const document = openApiDocument(paths);
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callReference(method, path, operation)),
  );
  const subjects = [...new Set(calls.map(({ subject }) => subject))];
  return {
    subjects: subjects.map((name) => ({ name, calls: calls.filter(({ subject }) => subject === name) })),
    records: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      parts: partsOf(schema),
    })),
  };
}

function callReference(method: string, path: string, operation: Operation) {
  const { operationId, tags, summary, description, parameters, requestBody, responses } = operation;
  const refusals = Object.entries(responses as Record<string, { description: string }>);
  return {
    id: operationId,
    subject: tags[0] ?? "",
    method: method.toUpperCase(),
    path,
    summary,
    description: description ?? null,
    who: operation["x-who"],
    parameters: parameters.map(({ name, in: place, schema, ...more }) => ({
      name,
      type: `${place}, ${typeText(schema as Schema)}`,
      required: "required" in more && more.required,
      description: "description" in more ? more.description : ((schema as Schema).description ?? null),
    })),
    body: requestBody ? partsOf(requestBody.content["application/json"].schema) : [],
    answer: answerOf(responses[200].content["application/json"].schema),
    refusals: refusals
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description: reason }]) => ({ status, reason })),
  };
}

/** What an answer is: one of the records, or the parts of one of its own. */
function answerOf(schema: Schema) {
  return { type: typeText(schema), parts: partsOf(schema) };
}

function partsOf({ properties = {}, required = [] }: Schema): Part[] {
  return Object.entries(properties).map(([name, property]) => {
    const schema = property as Schema;
    return {
      name,
      type: typeText(schema),
      required: required.includes(name),
      description: schema.description ?? null,
    };
  });
}

const words: Record<string, string> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  object: "record",
};

function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.anyOf) return schema.anyOf.map((each) => typeText(each as Schema)).join(" or ");
  if (schema.type === "array") return `list of ${typeText((schema.items ?? {}) as Schema)}`;
  if (schema.format === "date") return "date, like 2026-11-21";
  if (Array.isArray(schema.type)) return schema.type.map((type) => words[type] ?? type).join(" or ");
  const word = words[String(schema.type)] ?? String(schema.type ?? "anything");
  return schema.maxLength ? `${word}, up to ${schema.maxLength.toLocaleString("en-US")} characters` : word;
}
