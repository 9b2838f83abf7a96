import type { SerializeFrom } from "@remix-run/cloudflare";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { formerMember } from "../accounts/former-member.ts";
import { CaseSection } from "./case-section.tsx";
import type { Case } from "./cases.server.ts";

/** The reported message with those around it, and the two people. */
export function CaseConversation({
  messageId,
  message: { isHidden, around, people, listing },
}: {
  messageId: string;
  message: NonNullable<SerializeFrom<Case>["content"]["message"]>;
}) {
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
        {isHidden && ". The text is hidden from both sides."}
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
