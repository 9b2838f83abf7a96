import type { SerializeFrom } from "@remix-run/cloudflare";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { isoDay, isoDayLabel } from "#app/time.ts";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PeopleIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { quietButton, RowAction } from "#app/ui/row-action.tsx";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import type { TableState } from "../tables/table-filters.tsx";
import { BulkButtons } from "./bulk-buttons.tsx";
import { userDeletionText, usersLabel } from "./user-tables.rules.ts";
import type { UserRow } from "./users.server.ts";

/** The specification's table of users and sellers, with the email address under "Device Name". */
export function UserTable({
  users,
  total,
  viewerId,
  filters,
  verifiable = false,
}: {
  users: NumberedPage<SerializeFrom<UserRow>>;
  /** How many users match the filters. */
  total: number;
  viewerId: string;
  filters: TableState;
  verifiable?: boolean;
}) {
  const { dayLabel } = useDateLabels();
  return (
    <DashboardTable
      title="Users"
      columns={[
        { label: "Name", longWords: true },
        { label: "Device Name", longWords: true },
        "Role",
        "action",
      ]}
      filters={filters}
      notice={<p className="mb-4 text-quiet">{usersLabel(total)}</p>}
      bulk={{
        buttons: (
          <BulkButtons actions={verifiable ? ["verify sellers", "delete users"] : ["delete users"]} writes />
        ),
        label: ({ id, email }) => (id === viewerId ? null : email),
      }}
      table={users}
      cells={(user) => [
        <div key="name">
          <Link to={`/manage/users/${user.id}`} className="link">
            {user.name}
          </Link>
          <p className="flex flex-wrap gap-x-2 text-sm text-quiet max-md:justify-end">
            <span>Joined {dayLabel(user.createdAt)}</span>{" "}
            {user.lastSeenDay !== null && <span>Last seen {isoDayLabel(isoDay(user.lastSeenDay))}</span>}
          </p>
        </div>,
        <EmailAddress key="email" email={user.email} />,
        <div key="role">
          {user.userType}
          {user.moderatorSince && <p className="text-sm text-quiet">Moderator</p>}
        </div>,
        // Delete does not move when Verify disappears, so that a double click on Verify cannot hit it.
        <div key="action" className="flex gap-2 max-md:flex-row-reverse">
          {user.id === viewerId ? (
            <span className="text-quiet">You</span>
          ) : (
            <ConfirmPopover
              id={`delete-${user.id}`}
              label="Delete"
              className={`btn-sm ${quietButton}`}
              aria-description={user.email}
              question={`Delete ${user.name}?`}
              text={userDeletionText}
            >
              <RowAction id={user.id} intent="delete" target={user.email} className="btn-error">
                Delete user
              </RowAction>
            </ConfirmPopover>
          )}
          {verifiable && !user.verified && (
            <RowAction id={user.id} intent="verify" target={user.email} className="btn-primary">
              Verify
            </RowAction>
          )}
        </div>,
      ]}
      empty={
        <EmptyState
          icon={<PeopleIcon className="size-10" />}
          title="No users yet"
          text="New accounts show up here."
        />
      }
    />
  );
}
