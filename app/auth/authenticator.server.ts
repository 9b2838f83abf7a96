import type { AppLoadContext } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { LogIn } from "#app/features/accounts/account.schema.ts";
import { authenticate, type LogInRefusal } from "#app/features/accounts/accounts.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";

/**
 * Signs in with a form that the login schema has accepted.
 *
 * @returns the account, or why none is opened
 */
export function logInByForm(
  context: AppLoadContext,
  request: Request,
  form: FormData,
  credentials: LogIn,
): Promise<Viewer | LogInRefusal> {
  // One authenticator for each request: cookies and database belong to the request.
  const authenticator = new Authenticator<Viewer | LogInRefusal>(context.cookies.session);
  authenticator.use(new FormStrategy(() => authenticate(context.db, credentials)), "form");
  // The form has been read, and the authenticator cannot copy a request whose body is spent.
  const bodiless = new Request(request.url, { headers: request.headers });
  return authenticator.authenticate("form", bodiless, {
    context: { ...context, formData: form },
    throwOnError: true,
  });
}
