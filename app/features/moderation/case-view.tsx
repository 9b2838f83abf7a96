import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { dateTimeLabel, dayLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { formerMember } from "../accounts/former-member.ts";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { starsLabel } from "../reviews/review.rules.ts";
import { CaseConversation } from "./case-conversation.tsx";
import { CaseSection } from "./case-section.tsx";
import type { Case } from "./cases.server.ts";
import { hiddenLabel, suspensionEnd } from "./decision.rules.ts";
import { DecisionHistory } from "./decision-history.tsx";
import { QuotedText } from "./quoted-text.tsx";

/** What a moderator needs to decide about a target. @param children the form, shown if there is something to decide */
export function CaseView({
  moderationCase,
  children,
}: {
  moderationCase: SerializeFrom<Case>;
  children: ReactNode;
}) {
  const { target, owner, openReports, reports, ofThis, ofOwner, prices, signals, choices } = moderationCase;
  return (
    <>
      <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{target.name}</h1>
      <div className="mt-6 grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 content-start gap-10">
          <Content moderationCase={moderationCase} />
          {signals.length > 0 && (
            <CaseSection id="signals" title="Signals">
              <ul className="list-disc space-y-1 pl-5">
                {signals.map((signal) => (
                  <li key={signal}>{signal}</li>
                ))}
              </ul>
            </CaseSection>
          )}
          <CaseSection id="reports" title={reportsTitle(openReports)}>
            {reports.length === 0 && <p className="text-quiet">Nobody has reported this.</p>}
            <ul className="divide-y divide-base-300">
              {reports.map((report) => (
                <li key={report.id} className="py-4 first:pt-0">
                  <p className="font-medium">
                    {report.reason}
                    {!report.isOpen && <span className="font-normal text-quiet"> (decided)</span>}
                  </p>
                  <QuotedText text={report.details} />
                  <p className="mt-1 text-sm text-quiet wrap-anywhere">
                    {report.reporterName ?? formerMember}
                    {report.reporterEmail && (
                      <>
                        , <EmailAddress email={report.reporterEmail} />
                      </>
                    )}
                    , <time dateTime={report.createdAt}>{dateTimeLabel(report.createdAt)}</time>
                  </p>
                </li>
              ))}
            </ul>
          </CaseSection>
          <DecisionHistory
            id="history"
            title="Earlier decisions about this"
            decisions={ofThis}
            empty="None so far."
          />
          {prices.length > 0 && (
            <CaseSection id="prices" title="Price changes">
              <ul className="space-y-1">
                {prices.map(({ at, oldCents, newCents }) => (
                  <li key={at} className="tabular-nums">
                    {dayLabel(at)}: {priceLabel(oldCents)} to {priceLabel(newCents)}
                  </li>
                ))}
              </ul>
            </CaseSection>
          )}
          <DecisionHistory
            id="owner-history"
            title="Other decisions about the owner"
            decisions={ofOwner}
            empty="None so far."
            showsTarget
          />
        </div>
        <div className="grid min-w-0 content-start gap-10">
          {owner && (
            <CaseSection id="owner" title="Owner">
              <p className="font-medium wrap-anywhere">{owner.name}</p>
              <p className="text-sm wrap-anywhere">{owner.email && <EmailAddress email={owner.email} />}</p>
              <p className="text-sm text-quiet">
                {owner.userType} since {dayLabel(owner.since)}
              </p>
              {owner.isRemoved && <p className="mt-1">The account has been removed.</p>}
              {owner.suspensionId && (
                <p className="mt-1">Suspended {suspensionEnd(owner.suspendedUntil, dayLabel)}.</p>
              )}
            </CaseSection>
          )}
          {choices.length > 0 ? (
            <section aria-label="Decide">{children}</section>
          ) : (
            <p className="rounded-box bg-base-200 px-4 py-3">There is nothing to decide here now.</p>
          )}
        </div>
      </div>
    </>
  );
}

function reportsTitle(open: number): string {
  if (open === 0) return "Reports";
  return open === 1 ? "1 open report" : `${open} open reports`;
}

function Content({ moderationCase: { target, content } }: { moderationCase: SerializeFrom<Case> }) {
  const { listing, review, message } = content;
  if (listing) {
    return (
      <CaseSection id="content" title="Listing">
        <div className="flex items-start gap-4">
          <DeviceThumbnail cover={listing.cover} image={listing.image} deviceType={listing.deviceType} />
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
        <QuotedText text={listing.sellingReason} />
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
        <QuotedText text={review.text || "Without text."} />
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
    return (
      <p>
        <Link to={`/sellers/${target.id}`} className="link">
          View seller page
        </Link>
      </p>
    );
  }
  return <p className="text-quiet">It has been deleted, so only the reports are left.</p>;
}

function stateOf({
  isListed,
  hiddenBy,
  status,
}: NonNullable<SerializeFrom<Case>["content"]["listing"]>): string {
  if (isListed) return status === "available" ? "On sale" : status === "reserved" ? "Reserved" : "Sold";
  return hiddenBy ? hiddenLabel(hiddenBy) : "Deleted";
}
