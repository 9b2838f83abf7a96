import { parseWithZod } from "@conform-to/zod/v4";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import type { z } from "zod";
import { networkFailed } from "#app/server/forms/refused-form.ts";

/** A `clientAction` that shows the form again, with what was typed, when it does not reach the server. */
export function formClientAction(schema: z.ZodObject) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> => {
    // The request's body can be read once, by whoever sends it.
    const copy = request.clone();
    try {
      return await serverAction();
    } catch (fault) {
      // @see https://fetch.spec.whatwg.org/#fetch-method : nothing else makes fetch fail.
      if (!(fault instanceof TypeError)) throw fault;
      const submission = parseWithZod(await copy.formData(), { schema });
      const result = submission.reply({ hideFields: ["password"], formErrors: [networkFailed] });
      // The status of a failure keeps the page's loaders still, which would not get through either.
      return Response.json({ result }, { status: 503 });
    }
  };
}
