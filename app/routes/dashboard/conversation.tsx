import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser, suspensionRefusal } from "#app/auth/guard.server.ts";
import { blockOtherSide, unblockOtherSide } from "#app/features/messages/blocks.server.ts";
import { ConversationView } from "#app/features/messages/conversation-view.tsx";
import {
  findConversation,
  markConversationAsRead,
  newestMessageId,
} from "#app/features/messages/conversations.server.ts";
import { sendMessage } from "#app/features/messages/send-message.server.ts";
import { reportedMessages } from "#app/features/moderation/reports/content-reports.server.ts";
import { MessageWarning } from "#app/features/moderation/reports/message-warning.tsx";
import { OfferWithActions } from "#app/features/orders/offer-view.tsx";
import { offersInConversation } from "#app/features/orders/offers.server.ts";
import { buyersInConversations } from "#app/features/reviews/buyer-record.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { isPrefetch, ownHostOf } from "#app/server/http/request.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { ActionError } from "#app/ui/error-box.tsx";
import { MoreIcon } from "#app/ui/icons.tsx";
import { useRevalidateOnChange } from "#app/ui/live-data.ts";
import { ReportLink } from "#app/ui/report-link.tsx";
import { tableCursor } from "./table-requests.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Messages: ${data.conversation.productName}` : "Messages");

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const conversationId = params.conversationId ?? "";
  const [conversation, offers, buyers, newest, reported] = await Promise.all([
    findConversation(
      context.db,
      viewer,
      conversationId,
      tableCursor(request),
      context.environment,
      ownHostOf(context, request),
    ),
    offersInConversation(context.db, viewer, conversationId),
    buyersInConversations(context.db, viewer, [conversationId]),
    newestMessageId(context.db, viewer),
    reportedMessages(context.db, viewer, conversationId),
  ]);
  if (!conversation) throw notFound();
  const last = conversation.newer ? undefined : conversation.messages.at(-1);
  if (conversation.unread > 0 && last && !isPrefetch(request)) {
    await markConversationAsRead(context.db, viewer, conversation.id, last.id);
  }
  const suspended = suspensionRefusal(viewer, "message");
  return {
    conversation,
    offers,
    newest,
    reported,
    suspended,
    buyerRecord: buyers[conversationId] ?? null,
    account: viewer.email,
    formKey: crypto.randomUUID(),
  };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const conversationId = params.conversationId ?? "";
  const posted = { request, context, viewer, form };
  if (form.has("offer")) {
    const { handleOffer } = await import("../handle-offer.server.ts");
    return handleOffer(posted);
  }
  if (!form.has("intent")) {
    const { handleMessage } = await import("./handle-message.server.ts");
    return handleMessage(posted, (message) =>
      sendMessage(context.db, viewer, conversationId, message, context.environment),
    );
  }
  const intent = String(form.get("intent"));
  if (intent !== "block" && intent !== "unblock") throw badRequest();
  const limitRefusal = await rateLimitRefusal(context, "block", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const change = intent === "block" ? blockOtherSide : unblockOtherSide;
  if (!(await change(context.db, viewer, conversationId))) throw notFound();
  return redirectWithToast(context, pathAndQuery(request), {
    kind: "success",
    message: intent === "block" ? "Person blocked" : "Person unblocked",
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

interface ActionData {
  result?: SubmissionResult<string[]>;
  asked?: string[];
}

export default function ConversationPage() {
  const { dateTimeLabel } = useDateLabels();
  const { conversation, offers, newest, reported, ...loaded } = useLoaderData<typeof loader>();
  const { result, asked } = useActionData<ActionData>() ?? {};
  // The result of a refused button has no values, and that of a counteroffer has its own form.
  const isOfMessage = result?.initialValue && !("offer" in result.initialValue);
  useRevalidateOnChange(conversation.newer ? null : "/manage/messages/newest", newest);
  return (
    <>
      <BackLink to="/manage/messages">Messages</BackLink>
      <ActionError />
      <ConversationView
        // Another conversation has another form.
        key={conversation.id}
        conversation={conversation}
        {...loaded}
        actions={({ id, createdAt }) => {
          const message = `the message of ${dateTimeLabel(createdAt)} from ${conversation.other}`;
          return (
            <details className="flex items-center">
              <summary
                aria-label={`More about ${message}`}
                className="flex size-8 items-center justify-center"
              >
                <MoreIcon className="size-5" />
              </summary>
              <ReportLink kind="message" id={id} label={`Report ${message}`} />
            </details>
          );
        }}
        below={({ id, isOwn, warning, createdAt }) => {
          const offer = offers.find((known) => known.id === id);
          return (
            <>
              {warning && (
                <MessageWarning
                  text={warning}
                  messageId={id}
                  label={`the message of ${dateTimeLabel(createdAt)}`}
                  account={loaded.account}
                  isReported={reported.includes(id)}
                />
              )}
              {offer && (
                <div
                  className={`mt-2 border-accent text-sm ${isOwn ? "border-r-4 pr-3" : "border-l-4 pl-3"}`}
                >
                  <OfferWithActions offer={offer} forms={{ ...loaded, result, asked }} />
                </div>
              )}
            </>
          );
        }}
        result={isOfMessage ? result : undefined}
        asked={isOfMessage ? asked : undefined}
      />
    </>
  );
}
