import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { UndoButton } from "#app/ui/undo-button.tsx";
import { CaseSection, QuotedText } from "../case-section.tsx";
import type { PastDecision } from "../cases.server.ts";
import { targetLabel } from "../reports/content-report.rules.ts";
import { decisionLabel, suspensionEndText } from "./decision.rules.ts";

export function DecisionHistory({
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
    <CaseSection id={id} title={title}>
      {decisions.length === 0 && <p className="text-quiet">{empty}</p>}
      <ul className="divide-y divide-base-300">
        {decisions.map((decision) => (
          <DecisionItem key={decision.id} decision={decision} showsTarget={showsTarget} />
        ))}
      </ul>
    </CaseSection>
  );
}

/** A decision in a list, which its moderator can undo for a while. @param children what else there is to say */
export function DecisionItem({
  decision,
  showsTarget,
  children,
}: {
  decision: SerializeFrom<PastDecision>;
  showsTarget: boolean;
  children?: ReactNode;
}) {
  const { dateTimeLabel, dayLabel } = useDateLabels();
  const target = targetLabel(decision.targetKind, decision.target);
  return (
    <li className="py-4 first:pt-0">
      <p className="font-medium wrap-anywhere">
        {decisionLabel(decision.kind)}
        {decision.kind === "suspend" && ` ${suspensionEndText(decision.until, dayLabel)}`}
        {decision.endedAt && <span className="font-normal text-quiet"> (no longer in effect)</span>}
      </p>
      {showsTarget && (
        <p className="wrap-anywhere">
          <Link to={`/manage/moderation/${decision.targetKind}/${decision.targetId}`} className="link">
            {target}
          </Link>
        </p>
      )}
      <QuotedText text={decision.reason} />
      {decision.appeal && (
        <>
          <p className="mt-2 text-sm text-quiet">The owner’s appeal</p>
          <QuotedText text={decision.appeal} />
        </>
      )}
      <p className="mt-1 text-sm text-quiet wrap-anywhere">
        <bdi>{decision.moderator ?? brand.name}</bdi>,{" "}
        <time dateTime={decision.createdAt}>{dateTimeLabel(decision.createdAt)}</time>
      </p>
      {decision.canUndo && (
        <div className="mt-3">
          <UndoButton id={decision.id} target={target} />
        </div>
      )}
      {children}
    </li>
  );
}
