import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { dayLabel } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { CaseContent } from "./case-content.tsx";
import { CaseOwner } from "./case-owner.tsx";
import { CaseReports } from "./case-reports.tsx";
import { CaseSection } from "./case-section.tsx";
import type { Case } from "./cases.server.ts";
import { DecisionHistory } from "./decisions/decision-history.tsx";
import { signalText } from "./signals/signal.rules.ts";

/** What a moderator needs to decide about a target. @param children the form, shown if a decision is possible */
export function CaseView({
  moderationCase,
  children,
}: {
  moderationCase: SerializeFrom<Case>;
  children: ReactNode;
}) {
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
            <p className="rounded-box bg-base-200 px-4 py-3">
              {limit ?? "No decision is possible right now."}
            </p>
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
        </div>
      </div>
    </>
  );
}

function SameTextLinks({ listings }: { listings: SerializeFrom<Case["sameText"][number]>[] }) {
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
