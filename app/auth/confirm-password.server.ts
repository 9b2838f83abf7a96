import type { AppLoadContext } from "@remix-run/cloudflare";
import { clearAttempts, countAttempt } from "#app/features/accounts/login-attempts.server.ts";
import { checkPassword, withHashingSlot } from "#app/features/accounts/passwords.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { unlessBusy } from "#app/server/http/outage.server.ts";
import {
  clientAddress,
  overLimit,
  tooManyAttempts,
  withinLimit,
} from "#app/server/http/rate-limits.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";
import { attemptsOf } from "./known-device.server.ts";

/** Checks the signed-in user's password, with the same limits as a login. */
export async function confirmPassword(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  credential: { field: string; password: string },
): Promise<{ passwordHash: string; refusal?: never } | { passwordHash?: never; refusal: FormRefusal }> {
  const logFailure = (reason: string) => logWarning("password not confirmed", reason, context.reference);
  if (!(await withinLimit(context, "confirm password", request))) {
    logFailure("over the limit");
    return { refusal: overLimit("confirm password") };
  }
  const check = async () => {
    const { key } = await attemptsOf(context, request, viewer.email);
    const wait = await countAttempt(context.db, key);
    if (wait !== null) {
      logFailure("waiting");
      return { refusal: tooManyAttempts(wait) };
    }
    const passwordHash = await checkPassword(context.db, viewer, credential.password);
    if (!passwordHash) {
      logFailure("wrong password");
      return { refusal: { fieldErrors: { [credential.field]: ["Wrong password."] } } };
    }
    await clearAttempts(context.db, key);
    return { passwordHash };
  };
  return unlessBusy(
    () => withHashingSlot(clientAddress(request), check),
    (refusal) => ({ refusal }),
  );
}
