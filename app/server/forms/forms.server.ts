import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { json } from "@remix-run/cloudflare";
import type { z } from "zod";
import { sha256Hex } from "../config/crypto.server.ts";
import { pathAndQuery } from "../http/paths.ts";
import { badRequest } from "../http/responses.server.ts";
import { sanitizeText, secretFields, storableText } from "./sanitize-text.ts";

/** @throws Response 400 if the body is not a valid form */
export async function readForm(request: Pick<Request, "formData">): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw badRequest("The request body is not a valid form.");
  }
}

/** Validates a posted form. Only the schema's fields are read, once each and as text, and which form of a page it is. */
export function parseForm<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  const known = new FormData();
  for (const name of ["intent", ...Object.keys(schema.shape)]) {
    const value = form.get(name);
    if (typeof value !== "string") continue;
    known.set(name, secretFields.includes(name) ? storableText(value) : sanitizeText(value));
  }
  return parseWithZod(known, { schema });
}

/** Why a form is refused: messages, HTTP status and when to retry. */
export interface FormRefusal {
  status?: number;
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
  /** Seconds. */
  retryAfter?: number;
  /** Doubtful values that the person was asked about. The form sends them back as `confirmed`. */
  asked?: string[];
}

/** Responds to a refused form with its messages and its values, except passwords. */
export function invalidForm(
  submission: {
    reply(options: {
      hideFields?: string[];
      formErrors?: string[];
      fieldErrors?: Record<string, string[]>;
    }): SubmissionResult<string[]>;
  },
  refusal: FormRefusal = {},
) {
  const { formErrors, fieldErrors } = refusal;
  return refused(submission.reply({ hideFields: [...secretFields], formErrors, fieldErrors }), refusal);
}

/** Responds to a refused form whose values are not shown again: files, or what a script has posted. */
export function refusedForm(refusal: FormRefusal) {
  return refused({ status: "error", error: { "": refusal.formErrors ?? [] } }, refusal);
}

function refused(result: SubmissionResult<string[]>, { status = 400, retryAfter, asked }: FormRefusal) {
  const headers = retryAfter === undefined ? undefined : { "Retry-After": String(retryAfter) };
  return json({ result, asked }, { status, headers });
}

/**
 * Reads a form's idempotency key with a hash of the page and of all that was sent but the answers to questions: the same
 * form submitted again is done once, and one with other content is another submission.
 */
export async function submissionKeyOf({
  request,
  form,
}: {
  request: Request;
  form: FormData;
}): Promise<string | null> {
  const key = formKeyOf(form);
  if (!key) return null;
  const content = [...form].filter(([name]) => name !== "confirmed");
  const sent = content.map(([name, value]) => [name, typeof value === "string" ? value : value.name]);
  return `${key}-${await sha256Hex(JSON.stringify([pathAndQuery(request), sent]))}`;
}

/** Reads the UUID that our pages put into a form, for submissions that are compared with what is stored. */
export function formKeyOf(form: FormData): string | null {
  const key = form.get("formKey");
  return typeof key === "string" && isFormKey(key) ? key : null;
}

export function isFormKey(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}
