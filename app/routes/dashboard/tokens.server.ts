import { type AppLoadContext, json } from "@remix-run/cloudflare";
import { reportCredentialChange } from "#app/auth/account-emails.server.ts";
import { hasJustLoggedIn } from "#app/auth/guard.server.ts";
import { recentLoginMinutes } from "#app/features/accounts/account.rules.ts";
import { maxPersonalAccessTokens, personalAccessTokenSchema } from "#app/features/accounts/account.schema.ts";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import {
  createPersonalAccessToken,
  revokePersonalAccessToken,
} from "#app/features/accounts/personal-access-tokens.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  type FormRefusal,
  formKeyOf,
  invalidForm,
  parseForm,
  refusedForm,
} from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { actionFailedToast } from "./table-actions.server.ts";

/** Creates a token and responds with its text, the only time that it is sent. */
export async function createToken(context: AppLoadContext, request: Request, viewer: Viewer, form: FormData) {
  const submission = parseForm(form, personalAccessTokenSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  if (!(await withinLimit(context, "change tokens", request))) {
    return invalidForm(submission, overLimit("change tokens"));
  }
  if (!(await hasJustLoggedIn(context, request))) {
    return invalidForm(submission, refusals["login too old"]);
  }
  const { value } = submission;
  const formKey = formKeyOf(form) ?? crypto.randomUUID();
  const outcome = await createPersonalAccessToken(context.db, viewer, value, formKey);
  if (typeof outcome === "string") return invalidForm(submission, refusals[outcome]);
  reportCredentialChange(context, request, viewer.email, "token created");
  return json({ created: { name: value.name, token: outcome.token } });
}

/** Ends the token whose row's button was pressed. */
export async function revokeToken(context: AppLoadContext, request: Request, viewer: Viewer, form: FormData) {
  if (!(await withinLimit(context, "change tokens", request))) return refusedForm(overLimit("change tokens"));
  const revoked = await revokePersonalAccessToken(context.db, viewer, String(form.get("_id")));
  const toast = revoked ? ({ kind: "success", message: "Token revoked" } as const) : actionFailedToast;
  return redirectWithToast(context, pathAndQuery(request), toast);
}

/** All 409: the page is out of date, and is loaded again. */
const refusals: Record<"login too old" | "limit reached" | "form used", FormRefusal> = {
  "login too old": {
    status: 409,
    formErrors: [`Log in again, then create the token within ${recentLoginMinutes} minutes.`],
  },
  "limit reached": {
    status: 409,
    formErrors: [`You have ${maxPersonalAccessTokens} tokens. Revoke one to create another.`],
  },
  "form used": {
    status: 409,
    formErrors: ["This form has already created a token. Submit it again to create another one."],
  },
};
