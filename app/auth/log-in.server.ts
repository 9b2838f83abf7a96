import type { AppLoadContext, TypedResponse } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { Login } from "#app/features/accounts/account.schema.ts";
import { clearAttempts, countAttempt } from "#app/features/accounts/login-attempts.server.ts";
import {
  type AuthenticatedAccount,
  authenticate,
  type LoginRefusal,
  withHashingSlot,
} from "#app/features/accounts/passwords.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import {
  clientAddress,
  overLimit,
  tooManyAttempts,
  withinLimit,
} from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";
import { attemptsOf } from "./known-device.server.ts";
import { startSessionAndRedirect } from "./start-session.server.ts";

const refusals: Record<LoginRefusal, FormRefusal> = {
  wrong: { formErrors: ["Wrong email address or password."] },
  disabled: { formErrors: ["This account has been disabled."] },
};

const logReasons: Record<LoginRefusal, string> = {
  wrong: "wrong address or password",
  disabled: "account removed",
};

/**
 * Logs in with a valid form, and redirects. Rate limits are checked before any password, even the right one.
 *
 * @throws BusyError before the attempt is counted
 * @throws Response as `startSession` does; the attempt stays counted
 */
export async function logIn(
  context: AppLoadContext,
  request: Request,
  form: FormData,
  credentials: Login,
): Promise<{ response: TypedResponse<never>; refusal?: never } | { response?: never; refusal: FormRefusal }> {
  const logFailure = (reason: string) =>
    logWarning("login with a password failed", reason, context.reference);
  if (!(await withinLimit(context, "log in", request))) {
    logFailure("over the limit");
    return { refusal: overLimit("log in") };
  }
  const { key, isKnownDevice } = await attemptsOf(context, request, credentials.email);
  const check = async () => {
    const wait = await countAttempt(context.db, key);
    if (wait !== null) {
      logFailure("waiting");
      return { refusal: tooManyAttempts(wait) };
    }
    const outcome = await logInByForm(context, request, form, credentials);
    if (typeof outcome === "string") {
      logFailure(logReasons[outcome]);
      return { refusal: refusals[outcome] };
    }
    const { viewer, passwordHash } = outcome;
    const response = await startSessionAndRedirect(context, request, viewer, {
      method: "password",
      passwordHash,
    });
    await clearAttempts(context.db, key);
    return { response };
  };
  return withHashingSlot(clientAddress(request), check, { isKnownDevice });
}

function logInByForm(
  context: AppLoadContext,
  request: Request,
  form: FormData,
  credentials: Login,
): Promise<AuthenticatedAccount | LoginRefusal> {
  const authenticator = new Authenticator<AuthenticatedAccount | LoginRefusal>(context.cookies.session);
  authenticator.use(new FormStrategy(() => authenticate(context.db, credentials)), "form");
  // The authenticator would copy the request, which fails once its body is read.
  const bodiless = new Request(request.url, { headers: request.headers });
  return authenticator.authenticate("form", bodiless, {
    context: { ...context, formData: form },
    throwOnError: true,
  });
}
