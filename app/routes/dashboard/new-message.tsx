import type { SubmissionResult } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { requireUser, suspensionRefusal } from "#app/auth/guard.server.ts";
import { ConversationHeader } from "#app/features/messages/conversation-header.tsx";
import { conversationPath, silenceText, targetOf } from "#app/features/messages/message.rules.ts";
import { MessageForm } from "#app/features/messages/message-form.tsx";
import {
  findConversationAbout,
  findConversationStart,
  sendFirstMessage,
} from "#app/features/messages/send-message.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `New message: ${data.start.productName}` : "New message");

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const target = targetOf(new URL(request.url).searchParams);
  if (!target) throw notFound();
  const [existing, start] = await Promise.all([
    findConversationAbout(context.db, viewer, target),
    findConversationStart(context.db, viewer, target, context.environment),
  ]);
  if (existing) throw redirect(conversationPath(existing));
  if (!start) throw notFound();
  const orderId = "order" in target ? target.order : null;
  const refusal = silenceText(start.refusal, suspensionRefusal(viewer, "message"), orderId !== null);
  return { start, orderId, refusal, account: viewer.email, formKey: crypto.randomUUID() };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const target = targetOf(new URL(request.url).searchParams);
  if (!target) throw notFound();
  const { handleMessage } = await import("./handle-message.server.ts");
  return handleMessage({ request, context, viewer, form }, (message) =>
    sendFirstMessage(context.db, viewer, target, message, context.environment),
  );
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function NewMessage() {
  const { start, orderId, ...form } = useLoaderData<typeof loader>();
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  return (
    <>
      <BackLink to="/manage/messages">Messages</BackLink>
      <div className="grid max-w-3xl gap-6">
        <ConversationHeader conversation={start}>
          {orderId && (
            <Link to={`/manage/orders/${orderId}`} className="btn btn-outline btn-sm">
              View order
            </Link>
          )}
        </ConversationHeader>
        <MessageForm {...form} lastResult={result} asked={asked} />
      </div>
    </>
  );
}
