import { StatusBadge } from "../listings/badges.tsx";
import type { ListedConversation } from "./conversations.server.ts";

/** Whether the device of a conversation is still for sale, as a badge. */
export function ListingState({
  status,
  isRemoved,
  isHidden,
}: Pick<ListedConversation, "status" | "isRemoved" | "isHidden">) {
  if (!isRemoved && status) return <StatusBadge status={status} />;
  return (
    <span className="badge border-transparent bg-neutral font-medium text-neutral-content">
      {isHidden ? "Hidden" : "Removed"}
    </span>
  );
}
