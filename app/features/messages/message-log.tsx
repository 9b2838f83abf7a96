import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import type { Message } from "./conversations.server.ts";
import { hiddenMessage } from "./message.rules.ts";

/**
 * The messages of a page, oldest first. Unless it starts at its top, the box starts at its end and stays there when a
 * message is added, since its column is reversed; who has scrolled up keeps their place.
 *
 * @param actions what the viewer can do with a message of the other side
 */
export function MessageLog({
  messages,
  other,
  older,
  newer,
  startsAtTop,
  actions,
}: {
  messages: SerializeFrom<Message>[];
  other: string;
  older: string | null;
  newer: string | null;
  startsAtTop: boolean;
  actions?: (message: SerializeFrom<Message>) => ReactNode;
}) {
  return (
    <div
      role="log"
      aria-label="Messages"
      // A box that scrolls must be reachable by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className={`flex max-h-[max(14rem,min(32rem,calc(100dvh-36rem)))] lg:max-h-[max(14rem,min(32rem,calc(100dvh-30rem)))] overflow-y-auto rounded-box border border-base-300 px-4 py-4 ${startsAtTop ? "flex-col" : "flex-col-reverse"}`}
    >
      <div className="grid gap-4">
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
                  <time dateTime={message.createdAt}>{dateTimeLabel(message.createdAt)}</time>
                </p>
                {!message.isOwn && !message.hidden && actions?.(message)}
              </div>
              <p
                dir="auto"
                className={`mt-1 rounded-box px-4 py-3 wrap-anywhere whitespace-pre-wrap ${message.isOwn ? "bg-base-200" : "border border-base-300"}`}
              >
                {message.hidden ? <span className="text-quiet">{hiddenMessage}</span> : message.text}
              </p>
            </li>
          ))}
        </ol>
        {newer && (
          <Link to={newer} className="link justify-self-center">
            Newer messages
          </Link>
        )}
      </div>
    </div>
  );
}
