import type { SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, useLocation } from "@remix-run/react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { quietButton } from "#app/ui/row-action.tsx";
import type { BuyerRecord } from "../reviews/buyer-record.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import type { Conversation, Message } from "./conversations.server.ts";
import { conversationPath, hiddenMessage, silenceText } from "./message.rules.ts";
import { MessageForm } from "./message-form.tsx";

/**
 * @param buyerRecord of the other side, for a seller
 * @param account the email address of the viewer
 * @param formKey a new idempotency key
 * @param asked what the viewer was asked about before the message is sent
 * @param suspended why the viewer cannot write at all; null if they can
 * @param actions what the viewer can do with a message of the other side
 * @param below what follows a message
 */
export function ConversationView({
  conversation,
  buyerRecord,
  account,
  formKey,
  suspended,
  result,
  asked,
  actions,
  below,
}: {
  conversation: SerializeFrom<Conversation>;
  buyerRecord: BuyerRecord | null;
  account: string;
  formKey: string;
  suspended: string | null;
  result: SubmissionResult<string[]> | undefined;
  asked: string[] | undefined;
  actions?: (message: SerializeFrom<Message>) => ReactNode;
  below?: (message: SerializeFrom<Message>) => ReactNode;
}) {
  const { id, other, otherHasAccount, older, newer, messages, orderId, refusal } = conversation;
  // The data is loaded again now and then; the form keeps its key, and what is typed, until its message is sent.
  const [firstKey] = useState(formKey);
  const [currentKey, setCurrentKey] = useState(formKey);
  if (currentKey !== formKey && messages.some((message) => message.formKey?.startsWith(currentKey))) {
    setCurrentKey(formKey);
  }
  const view = useRef<HTMLDivElement>(null);
  useStartAtEnd(view);
  const path = conversationPath(id);
  const isBlocked = refusal === "blocked by you";
  return (
    <div ref={view} className="grid max-w-3xl gap-6">
      <ConversationHeader conversation={conversation} buyerRecord={buyerRecord}>
        {orderId && (
          <Link to={`/manage/orders/${orderId}`} className="btn btn-outline btn-sm">
            View order
          </Link>
        )}
        {(isBlocked || otherHasAccount) && <BlockButton isBlocked={isBlocked} other={other} />}
      </ConversationHeader>
      <MessageLog
        messages={messages}
        other={other}
        older={older && `${path}?after=${older}`}
        newer={newer && `${path}?before=${newer}`}
        actions={actions}
        below={below}
      />
      <MessageForm
        key={currentKey}
        account={account}
        formKey={currentKey}
        isNext={currentKey !== firstKey}
        refusal={silenceText(refusal, suspended, orderId !== null)}
        lastResult={result}
        asked={asked}
      />
    </div>
  );
}

/** With the room below it that `scroll-padding` keeps. */
const headerHeight = 80;

/**
 * Scrolls a page of messages to its end when it is opened, except for the one that follows what has been read. One that
 * fits the window below the header stays in view as a whole.
 */
function useStartAtEnd(view: RefObject<HTMLElement>) {
  const { search } = useLocation();
  useEffect(() => {
    if (new URLSearchParams(search).has("before")) return;
    // After the frame has shown the page from its top. A place that was restored or linked to stays.
    const frame = requestAnimationFrame(() => {
      if (!view.current || window.scrollY > 0 || window.location.hash) return;
      const fits = view.current.offsetHeight <= window.innerHeight - headerHeight;
      view.current.scrollIntoView({ block: fits ? "nearest" : "end" });
    });
    return () => cancelAnimationFrame(frame);
  }, [search, view]);
}

/**
 * The messages of a page, oldest first. New ones take their room above the form, which stays in its place.
 *
 * @param actions what the viewer can do with a message of the other side
 */
function MessageLog({
  messages,
  other,
  older,
  newer,
  actions,
  below,
}: {
  messages: SerializeFrom<Message>[];
  other: string;
  older: string | null;
  newer: string | null;
  actions?: (message: SerializeFrom<Message>) => ReactNode;
  below?: (message: SerializeFrom<Message>) => ReactNode;
}) {
  const { recentLabel } = useDateLabels();
  return (
    <div role="log" aria-label="Messages" className="grid gap-4 [overflow-anchor:none]">
      {older && (
        <Link to={older} className="link justify-self-center">
          Older messages
        </Link>
      )}
      <ol className="grid gap-4">
        {messages.map((message) => (
          <li
            key={message.id}
            id={`message-${message.id}`}
            className={`max-w-prose min-w-0 ${message.isOwn ? "justify-self-end" : "justify-self-start"}`}
          >
            <div className="flex items-center gap-x-1 text-sm text-quiet">
              <p className="wrap-anywhere">
                {message.isOwn ? "You" : other},{" "}
                <time dateTime={message.createdAt}>{recentLabel(message.createdAt)}</time>
              </p>
              {!message.isOwn && !message.hidden && actions?.(message)}
            </div>
            <p
              dir="auto"
              className={`mt-1 rounded-box px-4 py-3 wrap-anywhere whitespace-pre-wrap ${message.isOwn ? "bg-base-200" : "border border-base-300"}`}
            >
              {message.hidden ? <span className="text-quiet">{hiddenMessage}</span> : message.text}
            </p>
            {below?.(message)}
          </li>
        ))}
      </ol>
      {newer && (
        <Link to={newer} className="link justify-self-center">
          Newer messages
        </Link>
      )}
    </div>
  );
}

/** Blocks the other side of a conversation, once that is confirmed, or unblocks them. */
function BlockButton({ isBlocked, other }: { isBlocked: boolean; other: string }) {
  const name = <span className="sr-only"> {other}</span>;
  if (isBlocked) {
    return (
      <BlockForm intent="unblock" className="btn-outline btn-sm">
        Unblock{name}
      </BlockForm>
    );
  }
  return (
    <ConfirmPopover
      id="block-person"
      label={<>Block{name}</>}
      className={`btn-sm ${quietButton}`}
      question={`Block ${other}?`}
      text="You won’t get messages from each other anymore. We don’t tell them, and you can unblock them anytime."
    >
      <BlockForm intent="block" className="btn-primary">
        Block
      </BlockForm>
    </ConfirmPopover>
  );
}

function BlockForm({
  intent,
  className,
  children,
}: {
  intent: "block" | "unblock";
  className: string;
  children: ReactNode;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton pending={{ intent }} className={className}>
        {children}
      </SubmitButton>
    </Form>
  );
}
