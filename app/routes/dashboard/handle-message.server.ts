import { redirect } from "@remix-run/cloudflare";
import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { conversationPath, messageRefusalTexts, retryAfterOf } from "#app/features/messages/message.rules.ts";
import { messageSchema } from "#app/features/messages/message.schema.ts";
import type { SendOutcome, sendMessage } from "#app/features/messages/send-message.server.ts";
import { type FormRefusal, invalidForm, parseForm, submissionKeyOf } from "#app/server/forms/forms.server.ts";
import { ownHostOf } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { confirmedIn, keepingConfirmed, questionRefusal } from "../message-question.server.ts";

/** Handles the form of a message, and shows its conversation. */
export async function handleMessage(
  posted: PostedForm,
  send: (message: Parameters<typeof sendMessage>[3]) => Promise<SendOutcome>,
) {
  const submission = parseForm(posted.form, messageSchema);
  const refuse = (refusal: FormRefusal = {}) =>
    invalidForm(submission, keepingConfirmed(posted.form, refusal));
  if (submission.status !== "success") return refuse();
  const early = await formRefusal(posted, "message");
  if (early) return refuse(early);
  const { conversationId, refusal, question } = await send({
    ...submission.value,
    formKey: await submissionKeyOf(posted),
    confirmed: confirmedIn(posted.form),
    ownHost: ownHostOf(posted.context, posted.request),
  });
  if (question) return refuse(questionRefusal(question));
  if (refusal === "not found") throw notFound();
  if (refusal) {
    const retryAfter = retryAfterOf(refusal);
    const status = retryAfter === undefined ? 409 : 429;
    return refuse({ status, retryAfter, formErrors: [messageRefusalTexts[refusal]] });
  }
  return redirect(conversationPath(conversationId), 303);
}
