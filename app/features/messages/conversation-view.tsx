import type { SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { type ReactNode, useState } from "react";
import { Link } from "#app/ui/link.tsx";
import { BlockButton } from "./block-button.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import type { Conversation, Message } from "./conversations.server.ts";
import { conversationPath, messageRefusals } from "./message.rules.ts";
import { MessageForm } from "./message-form.tsx";
import { MessageLog } from "./message-log.tsx";

/**
 * @param account the email address of the viewer
 * @param formKey a new idempotency key
 * @param actions what the viewer can do with a message of the other side
 */
export function ConversationView({
  conversation,
  account,
  formKey,
  result,
  actions,
}: {
  conversation: SerializeFrom<Conversation>;
  account: string;
  formKey: string;
  result: SubmissionResult<string[]> | undefined;
  actions?: (message: SerializeFrom<Message>) => ReactNode;
}) {
  const { id, other, older, newer, messages, orderId, refusal } = conversation;
  // The data is loaded again now and then; the form keeps its key, and what is typed, until its message is sent.
  const [currentKey, setCurrentKey] = useState(formKey);
  if (currentKey !== formKey && messages.some((message) => message.formKey === currentKey)) {
    setCurrentKey(formKey);
  }
  const path = conversationPath(id);
  return (
    <div className="grid max-w-3xl gap-6">
      <ConversationHeader conversation={conversation}>
        {orderId && (
          <Link to={`/manage/orders/${orderId}`} className="btn btn-outline btn-sm">
            View order
          </Link>
        )}
        {refusal !== "blocked by you" && refusal !== "former member" && (
          <BlockButton intent="block" other={other} />
        )}
      </ConversationHeader>
      <MessageLog
        messages={messages}
        other={other}
        older={older && `${path}?after=${older}`}
        newer={newer && `${path}?before=${newer}`}
        actions={actions}
      />
      {refusal && !result ? (
        <div className="grid gap-3 justify-items-start">
          <p>{messageRefusals[refusal]}</p>
          {refusal === "blocked by you" && <BlockButton intent="unblock" other={other} />}
        </div>
      ) : (
        <MessageForm key={currentKey} account={account} formKey={currentKey} lastResult={result} />
      )}
    </div>
  );
}
