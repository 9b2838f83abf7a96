import type { SerializeFrom } from "@remix-run/cloudflare";
import { dayLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { CaseSection } from "./case-section.tsx";
import type { Case } from "./cases.server.ts";
import { refusedWhileSuspended, suspensionEnd } from "./decisions/decision.rules.ts";

/**
 * Who is responsible for a target.
 *
 * @param isTarget whether the case is about the account
 * @param seesAccounts whether the viewer may open the account's own page
 */
export function CaseOwner({
  owner,
  isTarget,
  seesAccounts,
}: {
  owner: NonNullable<SerializeFrom<Case>["owner"]>;
  isTarget: boolean;
  seesAccounts: boolean;
}) {
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
      {owner.isRemoved && <p className="mt-1">The account has been removed.</p>}
      {owner.suspensionId && (
        <p className="mt-1">
          The account is suspended {suspensionEnd(owner.suspendedUntil, dayLabel)}. The owner cannot{" "}
          {refusedWhileSuspended}, and their listings are hidden.
        </p>
      )}
    </CaseSection>
  );
}
