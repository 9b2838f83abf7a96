import type { AppLoadContext } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { loginSchema } from "#app/features/accounts/account.schema.ts";
import { countAttempt } from "#app/features/accounts/login-attempts.server.ts";
import {
  authenticate,
  checkPassword,
  type LoginRefusal,
  recordWrongPassword,
  withHashingSlot,
} from "#app/features/accounts/passwords.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { type FormRefusal, parseForm } from "#app/server/forms/forms.server.ts";
import { unlessBusy, unlessOutage } from "#app/server/http/outage.server.ts";
import { clientAddress, rateLimitRefusal, tooManyAttempts } from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";
import { loginAttemptsKey, resetAttempts } from "./known-device.server.ts";

interface Refused {
  refusal: FormRefusal;
  /** The reason in the log. */
  reason: string;
}

const loginRefusals: Record<LoginRefusal, Refused> = {
  wrong: {
    refusal: { formErrors: ["Wrong email address or password."] },
    reason: "wrong address or password",
  },
  disabled: { refusal: { formErrors: ["This account has been disabled."] }, reason: "account removed" },
};

interface LoginOutcome {
  submission: ReturnType<typeof parseForm<typeof loginSchema>>;
  /** None if the form is invalid or refused. */
  account?: Viewer;
  refusal?: FormRefusal;
}

/** Checks the posted login form and finds its account. The attempt stays counted until `resetAttempts`. */
export function logIn(context: AppLoadContext, request: Request, form: FormData): Promise<LoginOutcome> {
  const authenticator = new Authenticator<LoginOutcome>(context.cookies.session);
  authenticator.use(new FormStrategy(({ form }) => verifyLogin(context, request, form)), "form");
  // The authenticator would copy the request, which fails once its body is read.
  const bodiless = new Request(request.url, { headers: request.headers });
  return authenticator.authenticate("form", bodiless, {
    context: { ...context, formData: form },
    throwOnError: true,
  });
}

async function verifyLogin(context: AppLoadContext, request: Request, form: FormData): Promise<LoginOutcome> {
  const submission = parseForm(form, loginSchema);
  if (submission.status !== "success") return { submission };
  const { email, password } = submission.value;
  const check = async () => {
    const { viewer, refusal } = await authenticate(context.db, { email, password });
    return refusal ? loginRefusals[refusal] : { account: viewer, refusal };
  };
  const outcome = await unlessOutage(
    context,
    () => checkWithinLimits(context, request, { mutation: "log in", email }, check),
    (refusal) => ({ refusal }),
  );
  return { submission, ...outcome };
}

interface Confirmed {
  passwordHash: string;
  refusal: undefined;
}

/** Checks the password of a known account, with the same limits as a login. */
export async function confirmPassword(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  { field, password }: { field: string; password: string },
): Promise<Confirmed | { passwordHash?: never; refusal: FormRefusal }> {
  const check = async (): Promise<Confirmed | Refused> => {
    const passwordHash = await checkPassword(context.db, viewer, password);
    const refusal = { fieldErrors: { [field]: ["Wrong password."] } };
    if (!passwordHash) return { refusal, reason: "wrong password" };
    await resetAttempts(context, request, viewer.email);
    return { passwordHash, refusal: undefined };
  };
  const attempt = { mutation: "confirm password", email: viewer.email } as const;
  return unlessBusy(
    () => checkWithinLimits<Confirmed>(context, request, attempt, check),
    (refusal) => ({ refusal }),
  );
}

const failures = {
  "log in": "login with a password failed",
  "confirm password": "password not confirmed",
};

/**
 * Counts an attempt and checks its password, within limits that hold for the right one too.
 *
 * @throws HashingBusyError before the attempt is counted
 */
async function checkWithinLimits<Success extends { refusal: undefined }>(
  context: AppLoadContext,
  request: Request,
  { mutation, email }: { mutation: keyof typeof failures; email: string },
  check: () => Promise<Success | Refused>,
): Promise<Success | Refused> {
  const refuse = (refusal: FormRefusal, reason: string) => {
    logWarning(failures[mutation], reason, context.reference);
    return { refusal, reason };
  };
  const limitRefusal = await rateLimitRefusal(context, mutation, request);
  if (limitRefusal) return refuse(limitRefusal, "over the limit");
  const client = clientAddress(request);
  const { key, isKnownDevice } = await loginAttemptsKey(context, request, email);
  const work = async () => {
    const wait = await countAttempt(context.db, key);
    if (wait !== null) return refuse(tooManyAttempts(wait), "waiting");
    const outcome = await check();
    if (!outcome.refusal) return outcome;
    recordWrongPassword(client);
    return refuse(outcome.refusal, outcome.reason);
  };
  return withHashingSlot(client, work, { isKnownDevice });
}
