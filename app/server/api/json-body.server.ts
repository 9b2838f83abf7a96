import type { z } from "zod";
import { sanitizeText, secretFields, storableText } from "../forms/sanitize-text.ts";
import { type FieldError, problemDetails } from "./problem-details.server.ts";

/** Reads a request's body as UTF-8 text. @throws Response 415 for any content type but JSON, 400 for invalid UTF-8 */
export async function readJsonText(request: Request): Promise<string> {
  const { headers } = request;
  const [type = "", ...parameters] = (headers.get("Content-Type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((each) => each.startsWith("charset="));
  const isJson = /^application\/([\w.-]+\+)?json$/.test(type.trim());
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (!isJson || encoding !== "identity" || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw problemDetails(415, "Send uncompressed JSON in UTF-8, with the content type application/json.", {
      headers: { Accept: "application/json" },
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await request.arrayBuffer());
  } catch {
    throw problemDetails(400, "The body is not UTF-8.");
  }
}

/** Parses JSON and sanitizes its strings. @throws Response 400 for invalid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (name, value) => {
      if (typeof value !== "string") return value;
      return secretFields.includes(name) ? storableText(value) : sanitizeText(value);
    });
  } catch {
    throw problemDetails(400, "The body is not JSON.");
  }
}

/** Validates a request's body, path or query. @throws Response 422 with all errors */
export function validateInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: "body" | "parameters",
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const errors = source === "parameters" ? error.issues.map(parameterError) : bodyErrors(error);
  throw problemDetails(422, errors.map(({ detail }) => detail).join(". "), { errors });
}

const detailOf = ({ path, message }: z.core.$ZodIssue) => (path.length > 0 ? message : "Send a JSON object.");

function parameterError(issue: z.core.$ZodIssue): FieldError {
  return { detail: detailOf(issue), parameter: issue.path.join(".") };
}

/** What is wrong with a body, or with a part of it. @param at the JSON pointer of the part */
export function bodyErrors({ issues }: z.core.$ZodError, at = "#"): FieldError[] {
  return issues.map((issue) => ({
    detail: detailOf(issue),
    pointer: at + issue.path.map((step) => `/${String(step)}`).join(""),
  }));
}
