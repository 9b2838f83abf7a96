import type { SerializeFrom } from "@remix-run/cloudflare";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { formerMember } from "../accounts/viewer.ts";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { statusLabels } from "../listings/status.rules.ts";
import { LargePhotos } from "../photos/large-photos.tsx";
import { starsLabel } from "../reviews/review.rules.ts";
import { CaseSection, QuotedText } from "./case-section.tsx";
import type { ModerationCase } from "./cases.server.ts";
import { hiddenLabel } from "./decisions/decision.rules.ts";

/** What a moderator decides about: a listing, review, message or person. */
export function CaseContent({ target, content }: Pick<SerializeFrom<ModerationCase>, "target" | "content">) {
  const { dayLabel } = useDateLabels();
  const { listing, review, message, hasSellerPage } = content;
  if (listing) {
    return (
      <CaseSection id="content" title="Listing">
        <div className="flex items-start gap-4">
          <DeviceThumbnail picture={listing} />
          <div className="min-w-0">
            <p>
              {listing.ram}, {listing.rom}, {priceLabel(listing.sellingCents)} instead of{" "}
              {priceLabel(listing.marketCents)}
            </p>
            <p className="text-sm text-quiet">
              {stateOf(listing)}, published {dayLabel(listing.createdAt)}
            </p>
          </div>
        </div>
        <div className="mt-3">
          <QuotedText text={listing.sellingReason} />
        </div>
        {listing.photos.length > 0 && <LargePhotos photos={listing.photos} />}
        {listing.isListed && (
          <p className="mt-3">
            <Link to={`/phones/${target.id}`} className="link">
              View listing
            </Link>
          </p>
        )}
      </CaseSection>
    );
  }
  if (review) {
    return (
      <CaseSection id="content" title="Review">
        <p>
          {starsLabel(review.stars)}, {dayLabel(review.createdAt)}
          {review.isHidden && ", hidden"}
        </p>
        <QuotedText text={review.text || "No text"} />
        {review.reply && (
          <>
            <p className="mt-3 text-sm text-quiet">Reply</p>
            <QuotedText text={review.reply} />
          </>
        )}
      </CaseSection>
    );
  }
  if (message) return <CaseConversation messageId={target.id} message={message} />;
  if (target.kind === "seller") {
    return hasSellerPage ? (
      <p>
        <Link to={`/sellers/${target.id}`} className="link">
          View seller page
        </Link>
      </p>
    ) : (
      <p className="text-quiet">No seller page.</p>
    );
  }
  return <p className="text-quiet">This was deleted. We keep its reports.</p>;
}

function stateOf({
  isListed,
  hiddenBy,
  status,
}: NonNullable<SerializeFrom<ModerationCase>["content"]["listing"]>): string {
  if (isListed) return status === "available" ? "On sale" : statusLabels[status];
  return hiddenBy ? hiddenLabel(hiddenBy) : "Deleted";
}

/** The reported message with those around it, and the two people. */
function CaseConversation({
  messageId,
  message: { isHidden, around, people, listing },
}: {
  messageId: string;
  message: NonNullable<SerializeFrom<ModerationCase>["content"]["message"]>;
}) {
  const { dateTimeLabel } = useDateLabels();
  return (
    <CaseSection id="content" title="Message">
      <p className="wrap-anywhere">
        About{" "}
        {listing.phoneId ? (
          <Link to={`/phones/${listing.phoneId}`} className="link">
            <bdi>{listing.name}</bdi>
          </Link>
        ) : (
          <bdi>{listing.name}</bdi>
        )}
        {isHidden && ". The text is hidden from both people."}
      </p>
      <ul className="mt-1 text-sm text-quiet">
        {people.map(({ id, name, email, isBuyer }) => (
          <li key={id} className="wrap-anywhere">
            {isBuyer ? "Buyer" : "Seller"}: <bdi>{name ?? formerMember}</bdi>
            {email && (
              <>
                , <EmailAddress email={email} />
              </>
            )}
          </li>
        ))}
      </ul>
      <ol className="mt-4 grid gap-4">
        {around.map(({ id, senderName, createdAt, text }) => {
          const isReported = id === messageId;
          return (
            <li
              key={id}
              className={`rounded-box px-4 py-3 ${isReported ? "border-2 border-base-content" : "bg-base-200"}`}
            >
              <p className="text-sm text-quiet wrap-anywhere">
                {isReported && <span className="font-semibold text-base-content">This message: </span>}
                <bdi>{senderName ?? formerMember}</bdi>,{" "}
                <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
              </p>
              <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap">
                {text}
              </p>
            </li>
          );
        })}
      </ol>
    </CaseSection>
  );
}
