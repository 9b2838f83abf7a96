import { redirect } from "@remix-run/cloudflare";
import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { conversationPath, messageRefusalTexts, retryAfterOf } from "#app/features/messages/message.rules.ts";
import { messageSchema } from "#app/features/messages/message.schema.ts";
import type { SendOutcome } from "#app/features/messages/send-message.server.ts";
import { invalidForm, parseForm, submissionKeyOf } from "#app/server/forms/forms.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

/** Handles the form of a message, and shows its conversation. */
export async function handleMessage(
  posted: PostedForm,
  send: (message: { text: string; formKey: string | null }) => Promise<SendOutcome>,
) {
  const submission = parseForm(posted.form, messageSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const early = await formRefusal(posted, "message");
  if (early) return invalidForm(submission, early);
  const { conversationId, refusal } = await send({
    ...submission.value,
    formKey: await submissionKeyOf(posted),
  });
  if (refusal === "not found") throw notFound();
  if (refusal) {
    const retryAfter = retryAfterOf(refusal);
    const status = retryAfter === undefined ? 409 : 429;
    return invalidForm(submission, { status, retryAfter, formErrors: [messageRefusalTexts[refusal]] });
  }
  return redirect(conversationPath(conversationId), 303);
}
