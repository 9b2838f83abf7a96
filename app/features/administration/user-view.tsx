import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { Link } from "#app/ui/link.tsx";
import { quietButton } from "#app/ui/row-action.tsx";
import { maxModeratorDays, suspensionEndText } from "../moderation/decisions/decision.rules.ts";
import { DeletionNote } from "./deletion-note.tsx";
import type { findDeletedUser } from "./deletions.server.ts";
import type { UserDetails } from "./user-details.server.ts";
import { UserAction, UserLists } from "./user-lists.tsx";
import { roleWithdrawalText, userDeletionText } from "./user-tables.rules.ts";

/** What is left of the page of a user who was deleted. */
export function DeletedUserView({
  user: { name, ...deletion },
}: {
  user: NonNullable<SerializeFrom<typeof findDeletedUser>>;
}) {
  return (
    <>
      <h1 className="mb-4 text-3xl font-semibold wrap-anywhere">{name}</h1>
      <DeletionNote deletion={deletion} what="this user" target={name} />
      <p className="mt-6">
        <Link to="/manage/activity" className="link">
          View activity
        </Link>
      </p>
    </>
  );
}

/** The page of a user for administrators. */
export function UserView({
  details,
  isOwn,
  children,
}: {
  details: SerializeFrom<UserDetails>;
  isOwn: boolean;
  /** Before the lists. */
  children: ReactNode;
}) {
  const { dayLabel } = useDateLabels();
  const { user } = details;
  return (
    <>
      <h1 className="text-3xl font-semibold wrap-anywhere">{user.name}</h1>
      {details.isSuspended && (
        <p className="badge mt-2 border-transparent bg-neutral font-medium text-neutral-content">
          Suspended {suspensionEndText(user.suspendedUntil, dayLabel)}
        </p>
      )}
      <ActionError />
      <dl className="mt-4 max-w-xl">
        <FactRow term="Email address">
          <EmailAddress email={user.email} />
        </FactRow>
        <FactRow term="Email confirmed">
          {user.emailVerifiedAt ? dayLabel(user.emailVerifiedAt) : "Not confirmed"}
        </FactRow>
        <FactRow term="Role">
          {user.userType}
          {user.moderatorSince && `, moderator since ${dayLabel(user.moderatorSince)}`}
        </FactRow>
        {(user.userType === "Seller" || user.verified) && (
          <FactRow term="Seller">{user.verified ? "Verified" : "Not verified"}</FactRow>
        )}
        <FactRow term="Signed up">{dayLabel(user.createdAt)}</FactRow>
        {(user.termsVersionId || user.privacyVersionId) && (
          <FactRow term="Accepted">
            <span className="flex flex-wrap justify-end gap-x-4">
              {user.termsVersionId && (
                <Link to={`/manage/pages/terms?version=${user.termsVersionId}`} className="link">
                  Terms
                </Link>
              )}
              {user.privacyVersionId && (
                <Link to={`/manage/pages/privacy?version=${user.privacyVersionId}`} className="link">
                  Privacy
                </Link>
              )}
            </span>
          </FactRow>
        )}
      </dl>
      {isOwn ? (
        <p className="mt-5 text-quiet">This is your own account.</p>
      ) : (
        <div className="mt-5 flex flex-wrap gap-3">
          {user.sells && !user.verified && (
            <UserAction intent="verify" className="btn-primary">
              Verify
            </UserAction>
          )}
          <ConfirmPopover
            id="delete-user"
            label="Delete"
            className={quietButton}
            question={`Delete ${user.name}?`}
            text={userDeletionText}
          >
            <UserAction intent="delete" className="btn-error">
              Delete user
            </UserAction>
          </ConfirmPopover>
          <Link to={`/manage/moderation/seller/${user.id}`} className="btn btn-outline">
            Moderate
          </Link>
          <Link to={`/manage/announcements?id=${user.id}`} className="btn btn-outline">
            Write
          </Link>
        </div>
      )}
      {user.userType !== "Admin" && !isOwn && (
        <div className="mt-5 max-w-xl">
          {user.moderatorSince ? (
            <ConfirmPopover
              id="withdraw-moderator"
              label="Remove as moderator"
              className={quietButton}
              question={`Remove ${user.name} as a moderator?`}
              text={roleWithdrawalText}
            >
              <UserAction intent="withdraw moderator" className="btn-error">
                Remove moderator
              </UserAction>
            </ConfirmPopover>
          ) : details.isSuspended ? null : (
            <UserAction intent="appoint moderator" className="btn-outline">
              Make a moderator
            </UserAction>
          )}
          <p className="mt-1.5 text-sm text-quiet">
            {user.moderatorSince
              ? "You can’t suspend a moderator. Remove the role first."
              : details.isSuspended
                ? "A suspended account can’t become a moderator."
                : `Moderators handle reports, held listings, appeals and order problems, and can suspend accounts for up to ${maxModeratorDays} days. They don’t see email addresses, and see an order only once they’re asked about its problem.`}
          </p>
        </div>
      )}
      <div className="mt-10 grid gap-10">{children}</div>
      <UserLists details={details} isOwn={isOwn} />
    </>
  );
}
