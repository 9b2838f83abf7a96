import { countLabel } from "#app/market.ts";
import type { ApiPath } from "#app/server/api/api-operations.server.ts";
import { openApiDocument } from "../../api/openapi-document.server.ts";

type Document = ReturnType<typeof openApiDocument>;
type Operation = Document["paths"][string][string];
type Schema = Document["components"]["schemas"][string];

/** A parameter, or a field of a body or a record. */
export interface FieldReference {
  name: string;
  /** Readable type, such as "text" or "number or text". */
  type: string;
  required: boolean;
  description: string | null;
}

export type OperationReference = ReturnType<typeof operationReference>;

export type ApiReference = ReturnType<typeof apiReference>;

/** Prepares the OpenAPI document for the API page: operations by tag, and records. */
export function apiReference(paths: readonly ApiPath[]) {
  const document = openApiDocument(paths);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationReference(method, path, operation)),
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return {
    tags: tags.map((name) => ({ name, operations: operations.filter(({ tag }) => tag === name) })),
    records: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      fields: fieldsOf(schema),
    })),
  };
}

function operationReference(method: string, path: string, operation: Operation) {
  const { operationId, tags, summary, description, parameters, requestBody, responses } = operation;
  const json = requestBody?.content["application/json"];
  const errors = Object.entries(responses as Record<string, { description: string }>);
  return {
    id: operationId,
    tag: tags[0] ?? "",
    method: method.toUpperCase(),
    path,
    summary,
    description: description ?? null,
    access: operation["x-access"],
    needsSession: operation.security.every((way) => !("personalAccessToken" in way)),
    parameters: parameters.map(({ name, in: place, schema, ...more }) => ({
      name,
      type: `${place}, ${typeText(schema as Schema)}`,
      required: "required" in more && more.required,
      description: "description" in more ? more.description : ((schema as Schema).description ?? null),
    })),
    body: fieldsOf(json?.schema ?? {}),
    example: json?.example ? JSON.stringify(json.example, null, 2) : null,
    fileTypes: requestBody && !json ? Object.keys(requestBody.content) : [],
    response: responseOf(responses[200].content),
    errors: errors
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description: reason }]) => ({ status, reason })),
  };
}

function responseOf(content: Record<string, { schema: Schema } | undefined>) {
  const json = content["application/json"];
  return json
    ? { type: typeText(json.schema), fields: fieldsOf(json.schema) }
    : { type: `file: ${Object.keys(content).join(", ")}`, fields: [] };
}

function fieldsOf({ properties = {}, required = [] }: Schema): FieldReference[] {
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
  return schema.maxLength ? `${word}, up to ${countLabel(schema.maxLength)} characters` : word;
}
