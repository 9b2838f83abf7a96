import { parseWithZod } from "@conform-to/zod/v4";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import type { z } from "zod";
import { networkErrorText } from "#app/server/forms/refused-form.ts";

/** Creates a `clientAction` that keeps the form's values if the request does not reach the server. */
export function formClientAction(schema: z.ZodObject) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    const copy = request.clone();
    try {
      return await serverAction();
    } catch (error) {
      // A network error is a TypeError. @see https://fetch.spec.whatwg.org/#fetch-method
      if (!(error instanceof TypeError)) throw error;
      const submission = parseWithZod(await copy.formData(), { schema });
      const result = submission.reply({ hideFields: ["password"], formErrors: [networkErrorText] });
      return Response.json({ result }, { status: 503 });
    }
  };
}
