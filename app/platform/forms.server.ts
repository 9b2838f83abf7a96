import type { SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/cloudflare";

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

/** Answers a form that cannot be taken: its values and messages, for the page to show again. Never passwords. */
export function invalidForm(
  submission: {
    reply(options: { hideFields?: string[]; formErrors?: string[] }): SubmissionResult<string[]>;
  },
  { status = 400, formErrors }: { status?: number; formErrors?: string[] } = {},
) {
  return data({ result: submission.reply({ hideFields: ["password"], formErrors }) }, { status });
}

/** The key that names a filled-in form, when it has one of the shape our pages give it. */
export function formKeyOf(form: FormData): string | null {
  const key = form.get("formKey");
  return typeof key === "string" && /^[0-9a-f-]{36}$/.test(key) ? key : null;
}
