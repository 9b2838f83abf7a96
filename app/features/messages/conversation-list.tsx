import type { SerializeFrom } from "@remix-run/cloudflare";
import { countLabel } from "#app/market.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { ListingState, NewHereBadge } from "./conversation-header.tsx";
import type { ListedConversation } from "./conversations.server.ts";
import { conversationPath, hiddenMessage, unreadLabel } from "./message.rules.ts";

export function ConversationList({ conversations }: { conversations: SerializeFrom<ListedConversation>[] }) {
  return (
    <ul className="divide-y divide-base-300 border-y border-base-300">
      {conversations.map((conversation) => (
        <li key={conversation.conversationId}>
          <ConversationRow {...conversation} />
        </li>
      ))}
    </ul>
  );
}

function ConversationRow({
  conversationId,
  productName,
  status,
  isRemoved,
  isHidden,
  other,
  otherIsNew,
  unread,
  excerpt,
  isOwn,
  createdAt,
  ...picture
}: SerializeFrom<ListedConversation>) {
  const { recentLabel } = useDateLabels();
  return (
    <Link to={conversationPath(conversationId)} className="flex items-start gap-4 py-4 hover:bg-base-200">
      <DeviceThumbnail picture={picture} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <p className={`min-w-0 wrap-anywhere ${unread > 0 ? "font-semibold" : "font-medium"}`}>
              {productName}
            </p>
            {otherIsNew && <NewHereBadge />}
            <ListingState status={status} isRemoved={isRemoved} isHidden={isHidden} />
          </div>
          {unread > 0 && (
            <span className="badge border-transparent bg-accent font-medium text-accent-content">
              <span aria-hidden="true">{countLabel(unread)}</span>
              <span className="sr-only">{unreadLabel(unread)}</span>
            </span>
          )}
        </div>
        <p className="text-sm text-quiet wrap-anywhere">
          {other}, <time dateTime={createdAt}>{recentLabel(createdAt)}</time>
        </p>
        <p dir="auto" className={`mt-1 truncate ${unread > 0 ? "font-medium" : "text-quiet"}`}>
          {isOwn && "You: "}
          {excerpt || hiddenMessage}
        </p>
      </div>
    </Link>
  );
}
