import type { ClientActionFunctionArgs } from "@remix-run/react";
import { networkErrorText } from "#app/server/forms/refused-form.ts";

/** A `clientAction` that keeps the form's values if the request does not reach the server. */
export async function formClientAction({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<unknown> {
  const copy = request.clone();
  try {
    return await serverAction();
  } catch (error) {
    // A network error is a TypeError. @see https://fetch.spec.whatwg.org/#fetch-method
    if (!(error instanceof TypeError)) throw error;
    const { password: _, ...initialValue } = Object.fromEntries(await copy.formData());
    // The result of a form with an error of its own, as conform's `reply` creates it.
    const result = { status: "error", initialValue, error: { "": [networkErrorText] } };
    return Response.json({ result }, { status: 503 });
  }
}
