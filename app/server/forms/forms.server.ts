import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { json } from "@remix-run/cloudflare";
import type { z } from "zod";
import { readable } from "./readable.ts";

/**
 * Reads a posted form.
 *
 * @throws Response 400 when the body is not the form its headers promise
 */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new Response("This is not a form.", { status: 400 });
  }
}

/**
 * Holds a posted form against its schema. Only the fields the schema asks for are read, each once and as text:
 * names with a path, files, and the library's own control fields are nothing a page of ours sends.
 */
export function parseForm<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  const asked = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const value = form.get(name);
    if (typeof value === "string") asked.set(name, readable(value));
  }
  return parseWithZod(asked, { schema });
}

/** How a form is refused: what is said of it as a whole, the answer's status, and when to try again. */
export interface FormRefusal {
  status?: number;
  formErrors?: string[];
  /** What is said of single fields, by their names. */
  fieldErrors?: Record<string, string[]>;
  /** In seconds. */
  retryAfter?: number;
}

/**
 * Answers a form that cannot be taken: its values and messages, for the page to show again. Never passwords.
 * Remix sends the headers only of routes that pass on their action's, by `headers`.
 */
export function invalidForm(
  submission: {
    reply(options: {
      hideFields?: string[];
      formErrors?: string[];
      fieldErrors?: Record<string, string[]>;
    }): SubmissionResult<string[]>;
  },
  { status = 400, formErrors, fieldErrors, retryAfter }: FormRefusal = {},
) {
  const headers = retryAfter === undefined ? undefined : { "Retry-After": String(retryAfter) };
  const hideFields = ["password", "currentPassword"];
  return json({ result: submission.reply({ hideFields, formErrors, fieldErrors }) }, { status, headers });
}

/** The key that names a filled-in form, when it has one of the shape our pages give it. */
export function formKeyOf(form: FormData): string | null {
  const key = form.get("formKey");
  return typeof key === "string" && /^[0-9a-f-]{36}$/.test(key) ? key : null;
}
