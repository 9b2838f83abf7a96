import type { AppLoadContext } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { LogIn } from "#app/features/accounts/account.schema.ts";
import { authenticate, type LogInRefusal } from "#app/features/accounts/accounts.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";

/** Checks the credentials of a valid login form through remix-auth. */
export function logInByForm(
  context: AppLoadContext,
  request: Request,
  form: FormData,
  credentials: LogIn,
): Promise<Viewer | LogInRefusal> {
  const authenticator = new Authenticator<Viewer | LogInRefusal>(context.cookies.session);
  authenticator.use(new FormStrategy(() => authenticate(context.db, credentials)), "form");
  // The authenticator would copy the request, which fails once its body is read.
  const bodiless = new Request(request.url, { headers: request.headers });
  return authenticator.authenticate("form", bodiless, {
    context: { ...context, formData: form },
    throwOnError: true,
  });
}
