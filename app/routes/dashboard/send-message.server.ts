import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { suspensionRefusal } from "#app/auth/suspension.server.ts";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { conversationPath, messageRefusalTexts, retryAfterOf } from "#app/features/messages/message.rules.ts";
import { messageSchema } from "#app/features/messages/message.schema.ts";
import type { SendOutcome } from "#app/features/messages/send-message.server.ts";
import { formKeyOf, invalidForm, parseForm } from "#app/server/forms/forms.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

/** Handles the form of a message, and shows its conversation. */
export async function handleMessage(
  {
    context,
    request,
    viewer,
    form,
  }: { context: AppLoadContext; request: Request; viewer: Viewer; form: FormData },
  send: (message: { text: string; formKey: string | null }) => Promise<SendOutcome>,
) {
  const submission = parseForm(form, messageSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  const suspended = suspensionRefusal(viewer, "message");
  if (suspended) return invalidForm(submission, { status: 403, formErrors: [suspended] });
  const limitRefusal = await rateLimitRefusal(context, "message", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const { conversationId, refusal } = await send({ ...submission.value, formKey: formKeyOf(form) });
  if (refusal === "not found") throw notFound();
  if (refusal) {
    const retryAfter = retryAfterOf(refusal);
    const status = retryAfter === undefined ? 409 : 429;
    return invalidForm(submission, { status, retryAfter, formErrors: [messageRefusalTexts[refusal]] });
  }
  return redirect(conversationPath(conversationId), 303);
}
