import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { formerMember } from "../accounts/viewer.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { CaseContent } from "./case-content.tsx";
import { CaseSection, QuotedText } from "./case-section.tsx";
import type { ModerationCase } from "./cases.server.ts";
import { refusedWhileSuspended, suspensionEndText } from "./decisions/decision.rules.ts";
import { DecisionHistory } from "./decisions/decision-history.tsx";
import { reasonText } from "./reports/content-report.rules.ts";
import { signalText } from "./signals/signal.rules.ts";

/**
 * What a moderator needs to decide about a target.
 *
 * @param deletion who deleted it, if it was
 * @param children the form, shown if a decision is possible
 */
export function CaseView({
  moderationCase,
  deletion,
  notes,
  children,
}: {
  moderationCase: SerializeFrom<ModerationCase>;
  deletion: ReactNode;
  notes: ReactNode;
  children: ReactNode;
}) {
  const { dayLabel } = useDateLabels();
  const {
    target,
    content,
    owner,
    openReports,
    reports,
    ofThis,
    ofOwner,
    prices,
    signals,
    sameText,
    choices,
    limit,
    seesAccounts,
  } = moderationCase;
  return (
    <>
      <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{target.name}</h1>
      {deletion && <div className="mt-4">{deletion}</div>}
      {/* On narrow screens the form comes before the long history. */}
      <div className="mt-6 grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 content-start gap-10">
          <CaseContent target={target} content={content} />
          {signals.length > 0 && (
            <CaseSection id="signals" title="Signals">
              <ul className="list-disc space-y-1 pl-5">
                {signals.map((signal) => (
                  <li key={signal.kind} className="wrap-anywhere">
                    {signalText(signal)}
                    {signal.kind === "same text" && <SameTextLinks listings={sameText} />}
                  </li>
                ))}
              </ul>
            </CaseSection>
          )}
          <CaseReports reports={reports} openReports={openReports} />
        </div>
        <div className="grid min-w-0 content-start gap-10 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          {owner && (
            <CaseOwner owner={owner} isTarget={target.kind === "seller"} seesAccounts={seesAccounts} />
          )}
          {choices.length > 0 ? (
            <section aria-label="Decide">
              {children}
              {limit && <p className="mt-4 text-sm text-quiet">{limit}</p>}
            </section>
          ) : (
            <p className="rounded-box bg-base-200 px-4 py-3">{limit ?? "Nothing to decide right now."}</p>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-10">
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
          {notes}
        </div>
      </div>
    </>
  );
}

function SameTextLinks({ listings }: { listings: SerializeFrom<ModerationCase["sameText"][number]>[] }) {
  return (
    <ul>
      {listings.map(({ id, name, sellerName }) => (
        <li key={id}>
          <Link to={`/manage/moderation/listing/${id}`} className="link">
            {name}
          </Link>{" "}
          by <bdi>{sellerName}</bdi>
        </li>
      ))}
    </ul>
  );
}

/**
 * Who is responsible for a target.
 *
 * @param isTarget whether the case is about the account
 * @param seesAccounts whether the viewer may open the account's own page
 */
function CaseOwner({
  owner,
  isTarget,
  seesAccounts,
}: {
  owner: NonNullable<SerializeFrom<ModerationCase>["owner"]>;
  isTarget: boolean;
  seesAccounts: boolean;
}) {
  const { dayLabel } = useDateLabels();
  const page = seesAccounts
    ? `/manage/users/${owner.id}`
    : isTarget
      ? null
      : `/manage/moderation/seller/${owner.id}`;
  return (
    <CaseSection id="owner" title={isTarget ? "Account" : "Owner"}>
      <p className="font-medium wrap-anywhere">
        {owner.isRemoved || page === null ? (
          owner.name
        ) : (
          <Link to={page} className="link">
            {owner.name}
          </Link>
        )}
      </p>
      <p className="text-sm wrap-anywhere">{owner.email && <EmailAddress email={owner.email} />}</p>
      <p className="text-sm text-quiet">
        {owner.userType} since {dayLabel(owner.since)}
      </p>
      {owner.isRemoved && <p className="mt-1">The account is gone.</p>}
      {owner.suspensionId && (
        <p className="mt-1">
          The account is suspended {suspensionEndText(owner.suspendedUntil, dayLabel)}. They can’t{" "}
          {refusedWhileSuspended}, and their listings are hidden.
        </p>
      )}
    </CaseSection>
  );
}

/** The reports of a target, the newest first. */
function CaseReports({
  reports,
  openReports,
}: Pick<SerializeFrom<ModerationCase>, "reports" | "openReports">) {
  const { dateTimeLabel } = useDateLabels();
  return (
    <CaseSection id="reports" title={reportsTitle(openReports)}>
      {reports.length === 0 && <p className="text-quiet">No reports.</p>}
      <ul className="divide-y divide-base-300">
        {reports.map((report) => (
          <li key={report.id} className="py-4 first:pt-0">
            <p className="font-medium">
              {reasonText(report.reason)}
              {!report.isOpen && <span className="font-normal text-quiet"> (decided)</span>}
            </p>
            <QuotedText text={report.details} />
            <p className="mt-1 text-sm text-quiet wrap-anywhere">
              <bdi>{report.reporterName ?? formerMember}</bdi>
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
  );
}

function reportsTitle(open: number): string {
  if (open === 0) return "Reports";
  return open === 1 ? "1 open report" : `${open} open reports`;
}
