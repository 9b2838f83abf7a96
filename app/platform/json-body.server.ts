import type { z } from "zod";
import { type Fault, problem } from "./problem.server.ts";
import { readable } from "./readable.ts";

/**
 * A body of JSON as text.
 *
 * @param body of that request, read already
 * @throws Response 415 when it says it is something else, 400 when it is not UTF-8
 */
export function jsonText({ headers }: Request, body: ArrayBuffer | null): string {
  const [type = "", ...parameters] = (headers.get("Content-Type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((each) => each.startsWith("charset="));
  const isJson = /^application\/([\w.-]+\+)?json$/.test(type.trim());
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (!isJson || encoding !== "identity" || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw problem(415, "Send JSON in UTF-8, as application/json, not compressed.", {
      headers: { Accept: "application/json" },
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body ?? new Uint8Array());
  } catch {
    throw problem(400, "The body is not UTF-8.");
  }
}

/**
 * Reads JSON from text. What no text can hold becomes U+FFFD, see `readable`.
 *
 * @throws Response 400 when it is not JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value === "string" ? readable(value) : value));
  } catch {
    throw problem(400, "The body is not JSON.");
  }
}

/**
 * Holds what came with a call against its schema.
 *
 * @param place where it came from, so that each fault can point to its value
 * @throws Response 422 with all faults
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: "body" | "parameters",
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const errors = error.issues.map(({ path, message }): Fault => {
    const detail = path.length > 0 ? message : "Send a JSON object.";
    if (place === "parameters") return { detail, parameter: path.join(".") };
    return { detail, pointer: `#${path.map((step) => `/${String(step)}`).join("")}` };
  });
  throw problem(422, errors.map(({ detail }) => detail).join(". "), { errors });
}
