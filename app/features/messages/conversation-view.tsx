import type { SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { useLocation } from "@remix-run/react";
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
 * @param suspended why the viewer cannot write at all; null if they can
 * @param actions what the viewer can do with a message of the other side
 */
export function ConversationView({
  conversation,
  account,
  formKey,
  suspended,
  result,
  actions,
}: {
  conversation: SerializeFrom<Conversation>;
  account: string;
  formKey: string;
  suspended: string | null;
  result: SubmissionResult<string[]> | undefined;
  actions?: (message: SerializeFrom<Message>) => ReactNode;
}) {
  const { id, other, otherHasAccount, older, newer, messages, orderId, refusal } = conversation;
  const { search } = useLocation();
  // The data is loaded again now and then; the form keeps its key, and what is typed, until its message is sent.
  const [firstKey] = useState(formKey);
  const [currentKey, setCurrentKey] = useState(formKey);
  if (currentKey !== formKey && messages.some((message) => message.formKey === currentKey)) {
    setCurrentKey(formKey);
  }
  const path = conversationPath(id);
  const isBlocked = refusal === "blocked by you";
  return (
    <div className="grid max-w-3xl gap-6">
      <ConversationHeader conversation={conversation}>
        {orderId && (
          <Link to={`/manage/orders/${orderId}`} className="btn btn-outline btn-sm">
            View order
          </Link>
        )}
        {(isBlocked || otherHasAccount) && <BlockButton isBlocked={isBlocked} other={other} />}
      </ConversationHeader>
      <MessageLog
        // Each page starts at its own place.
        key={search}
        messages={messages}
        other={other}
        older={older && `${path}?after=${older}`}
        newer={newer && `${path}?before=${newer}`}
        startsAtTop={new URLSearchParams(search).has("before")}
        actions={actions}
      />
      <MessageForm
        key={currentKey}
        account={account}
        formKey={currentKey}
        isNext={currentKey !== firstKey}
        refusal={suspended ?? (refusal && messageRefusals[refusal])}
        lastResult={result}
      />
    </div>
  );
}
