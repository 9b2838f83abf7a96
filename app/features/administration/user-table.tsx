import type { NumberedPage } from "#app/db/keyset.server.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PeopleIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { DashboardTable } from "./dashboard-table.tsx";
import type { TableState } from "./table-filters.tsx";
import type { UserRow } from "./users.server.ts";

/** The specification's table of users and sellers, with the email address under "Device Name". */
export function UserTable({
  users,
  viewerId,
  filters,
  verifiable = false,
}: {
  users: NumberedPage<UserRow>;
  viewerId: string;
  filters: TableState;
  verifiable?: boolean;
}) {
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
      bulk={{
        actions: verifiable ? ["verify sellers", "delete users"] : ["delete users"],
        label: ({ id, email }) => (id === viewerId ? null : email),
      }}
      table={users}
      cells={(user) => [
        <Link key="name" to={`/manage/users/${user.id}`} className="link">
          {user.name}
        </Link>,
        <EmailAddress key="email" email={user.email} />,
        user.userType,
        // Delete does not move when Verify disappears, so that a double click on Verify cannot hit it.
        <div key="action" className="flex gap-2 max-md:flex-row-reverse">
          {user.id === viewerId ? (
            <span className="text-quiet">You</span>
          ) : (
            <RowAction id={user.id} intent="delete" target={user.email}>
              Delete
            </RowAction>
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
          text="New accounts appear in this list."
        />
      }
    />
  );
}
