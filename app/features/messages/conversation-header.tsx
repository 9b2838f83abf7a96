import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { Link } from "#app/ui/link.tsx";
import { StatusBadge } from "../listings/badges.tsx";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import type { Picture } from "../listings/listing-picture.tsx";
import { type BuyerRecord, BuyerRecordText } from "../reviews/buyer-record.tsx";
import type { Conversation, ListedConversation } from "./conversations.server.ts";

/** @param buyerRecord of the other side, for a seller @param children what the viewer can do beside writing */
export function ConversationHeader({
  conversation: { productName, phoneId, status, isRemoved, isHidden, other, otherIsNew, ...picture },
  buyerRecord = null,
  children,
}: {
  conversation: Pick<
    SerializeFrom<Conversation>,
    "productName" | "phoneId" | "status" | "isRemoved" | "isHidden" | "other" | "otherIsNew" | keyof Picture
  >;
  buyerRecord?: BuyerRecord | null;
  children?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-start gap-4">
      <DeviceThumbnail picture={picture} />
      <div className="min-w-0 grow basis-48">
        <h1 className="text-2xl font-semibold wrap-anywhere">
          <span className="sr-only">Messages about </span>
          {isRemoved ? (
            productName
          ) : (
            <Link to={`/phones/${phoneId}`} className="link underline-offset-4">
              {productName}
            </Link>
          )}
        </h1>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="wrap-anywhere">With {other}</p>
          {otherIsNew && <NewHereBadge />}
          <ListingState status={status} isRemoved={isRemoved} isHidden={isHidden} />
        </div>
        {buyerRecord && (
          <p className="mt-1 text-sm text-quiet tabular-nums">
            <BuyerRecordText record={buyerRecord} />
          </p>
        )}
        {isHidden && (
          <p className="mt-1 text-sm text-quiet">
            The listing is hidden for now, so nobody can open or book it.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
    </header>
  );
}

/** Marks a young account without a completed order. */
export function NewHereBadge() {
  return <span className="badge border-base-300 bg-base-100 font-medium">New here</span>;
}

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
