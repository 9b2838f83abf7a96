import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { isSameEmail } from "./email.server.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Why a form must not be processed that was rendered for another account: the user has changed accounts in another tab
 * since then. Null if the form is for the signed-in account, or does not say.
 */
export function accountChangeRefusal(form: FormData, viewer: Viewer): FormRefusal | null {
  const renderedFor = form.get("account");
  if (typeof renderedFor !== "string" || isSameEmail(renderedFor, viewer.email)) return null;
  return {
    status: 409,
    formErrors: [`You are now logged in as ${viewer.email}. Check the form and submit it again.`],
  };
}
