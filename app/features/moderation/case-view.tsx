import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { dateTimeLabel, dayLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { formerMember } from "../accounts/former-member.ts";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { starsLabel } from "../reviews/review.rules.ts";
import type { Case, PastDecision } from "./cases.server.ts";
import { decisionLabels, suspensionEnd } from "./decision.rules.ts";

/** What a moderator needs to decide about a target. @param children the form, shown if there is something to decide */
export function CaseView({ found, children }: { found: SerializeFrom<Case>; children: ReactNode }) {
  const { target, owner, openReports, reports, ofThis, ofOwner, prices, signals, choices } = found;
  return (
    <>
      <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{target.name}</h1>
      <div className="mt-6 grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 content-start gap-10">
          <Content found={found} />
          {signals.length > 0 && (
            <Section id="signals" title="Signals">
              <ul className="list-disc space-y-1 pl-5">
                {signals.map((signal) => (
                  <li key={signal}>{signal}</li>
                ))}
              </ul>
            </Section>
          )}
          <Section id="reports" title={reportsTitle(openReports)}>
            {reports.length === 0 && <p className="text-quiet">Nobody has reported this.</p>}
            <ul className="divide-y divide-base-300">
              {reports.map((report) => (
                <li key={report.id} className="py-4 first:pt-0">
                  <p className="font-medium">
                    {report.reason}
                    {!report.isOpen && <span className="font-normal text-quiet"> (decided)</span>}
                  </p>
                  <Words text={report.details} />
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
          </Section>
          <History
            id="history"
            title="Earlier decisions about this"
            decisions={ofThis}
            empty="None so far."
          />
          {prices.length > 0 && (
            <Section id="prices" title="Price changes">
              <ul className="space-y-1">
                {prices.map(({ at, oldCents, newCents }) => (
                  <li key={at} className="tabular-nums">
                    {dayLabel(at)}: {priceLabel(oldCents)} to {priceLabel(newCents)}
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <History
            id="owner-history"
            title="Other decisions about the owner"
            decisions={ofOwner}
            empty="None so far."
            showsTarget
          />
        </div>
        <div className="grid min-w-0 content-start gap-10">
          {owner && (
            <Section id="owner" title="Owner">
              <p className="font-medium wrap-anywhere">{owner.name}</p>
              <p className="text-sm wrap-anywhere">{owner.email && <EmailAddress email={owner.email} />}</p>
              <p className="text-sm text-quiet">
                {owner.userType} since {dayLabel(owner.since)}
              </p>
              {owner.isRemoved && <p className="mt-1">The account has been removed.</p>}
              {owner.suspensionId && (
                <p className="mt-1">Suspended {suspensionEnd(owner.suspendedUntil, dayLabel)}.</p>
              )}
            </Section>
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

function Content({ found: { target, content } }: { found: SerializeFrom<Case> }) {
  const { listing, review, message } = content;
  if (listing) {
    return (
      <Section id="content" title="Listing">
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
        <Words text={listing.sellingReason} />
        {listing.isListed && (
          <p className="mt-3">
            <Link to={`/phones/${target.id}`} className="link">
              View listing
            </Link>
          </p>
        )}
      </Section>
    );
  }
  if (review) {
    return (
      <Section id="content" title="Review">
        <p>
          {starsLabel(review.stars)}, {dayLabel(review.createdAt)}
          {review.isHidden && ", hidden"}
        </p>
        <Words text={review.text || "Without text."} />
        {review.reply && (
          <>
            <p className="mt-3 text-sm text-quiet">Reply</p>
            <Words text={review.reply} />
          </>
        )}
      </Section>
    );
  }
  if (message) return <Conversation messageId={target.id} message={message} />;
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

/** The reported message with those around it, and the two people. */
function Conversation({
  messageId,
  message: { isHidden, around, people, listing },
}: {
  messageId: string;
  message: NonNullable<SerializeFrom<Case>["content"]["message"]>;
}) {
  return (
    <Section id="content" title="Message">
      <p className="wrap-anywhere">
        About{" "}
        {listing.phoneId ? (
          <Link to={`/phones/${listing.phoneId}`} className="link">
            {listing.name}
          </Link>
        ) : (
          listing.name
        )}
        {isHidden && ". The text is hidden from both sides."}
      </p>
      <ul className="mt-1 text-sm text-quiet">
        {people.map(({ id, name, email, isBuyer }) => (
          <li key={id} className="wrap-anywhere">
            {isBuyer ? "Buyer" : "Seller"}: {name ?? formerMember}
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
                {senderName ?? formerMember}, <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
              </p>
              <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap">
                {text}
              </p>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function stateOf({
  isListed,
  hiddenBy,
  status,
}: NonNullable<SerializeFrom<Case>["content"]["listing"]>): string {
  if (isListed) return status === "available" ? "On sale" : status === "reserved" ? "Reserved" : "Sold";
  if (hiddenBy === "hold") return "Held for approval";
  if (hiddenBy === "suspend") return "Hidden while the seller is suspended";
  return hiddenBy === "hide" ? "Hidden" : "Deleted";
}

function History({
  id,
  title,
  decisions,
  empty,
  showsTarget = false,
}: {
  id: string;
  title: string;
  decisions: SerializeFrom<PastDecision>[];
  empty: string;
  showsTarget?: boolean;
}) {
  return (
    <Section id={id} title={title}>
      {decisions.length === 0 && <p className="text-quiet">{empty}</p>}
      <ul className="divide-y divide-base-300">
        {decisions.map((decision) => (
          <li key={decision.id} className="py-4 first:pt-0">
            <p className="font-medium wrap-anywhere">
              {decisionLabels[decision.kind]}
              {decision.kind === "suspend" && ` ${suspensionEnd(decision.until, dayLabel)}`}
              {decision.endedAt && <span className="font-normal text-quiet"> (no longer in force)</span>}
            </p>
            {showsTarget && (
              <p className="wrap-anywhere">
                <Link to={`/manage/moderation/${decision.targetKind}/${decision.targetId}`} className="link">
                  {decision.target}
                </Link>
              </p>
            )}
            <Words text={decision.reason} />
            {decision.answer && (
              <>
                <p className="mt-2 text-sm text-quiet">The owner’s answer</p>
                <Words text={decision.answer} />
              </>
            )}
            <p className="mt-1 text-sm text-quiet wrap-anywhere">
              {decision.moderator ?? "Automatic"},{" "}
              <time dateTime={decision.createdAt}>{dateTimeLabel(decision.createdAt)}</time>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-3 text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

function Words({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p dir="auto" className="mt-1 border-l-2 border-base-300 pl-3 wrap-anywhere whitespace-pre-line">
      {text}
    </p>
  );
}
