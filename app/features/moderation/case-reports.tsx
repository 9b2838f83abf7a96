import type { SerializeFrom } from "@remix-run/cloudflare";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { formerMember } from "../accounts/former-member.ts";
import { CaseSection } from "./case-section.tsx";
import type { Case } from "./cases.server.ts";
import { QuotedText } from "./quoted-text.tsx";

/** The reports of a target, the newest first. */
export function CaseReports({ reports, openReports }: Pick<SerializeFrom<Case>, "reports" | "openReports">) {
  return (
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
