import type { TablePage } from "#app/db/page.ts";
import type { UserRow } from "#app/features/moderation/users.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PeopleIcon } from "#app/ui/icons.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { Address, ManagedTable } from "./managed-table.tsx";

/**
 * The administrator's table of users and of sellers. Heading and columns are the specification's, whose
 * "Device Name" holds the address.
 *
 * @param verifiable whether unverified sellers have a Verify button
 */
export function UserTable({
  users,
  viewerId,
  verifiable = false,
}: {
  users: TablePage<UserRow>;
  viewerId: string;
  verifiable?: boolean;
}) {
  return (
    <ManagedTable
      title="Users"
      columns={[{ label: "Name", loose: true }, { label: "Device Name", loose: true }, "Role", "action"]}
      table={users}
      cells={(user) => [
        user.name,
        <Address key="email" email={user.email} />,
        user.userType,
        // Delete keeps its place when Verify goes, so that a second press of Verify does not meet it.
        <div key="action" className="flex gap-2 max-md:flex-row-reverse">
          {user.id === viewerId ? (
            <span className="text-quiet">You</span>
          ) : (
            <RowAction id={user.id} intent="delete" describes={user.email}>
              Delete
            </RowAction>
          )}
          {verifiable && user.verified !== "yes" && (
            <RowAction id={user.id} intent="verify" describes={user.email} className="btn-primary">
              Verify
            </RowAction>
          )}
        </div>,
      ]}
      empty={
        <EmptyState
          icon={<PeopleIcon className="size-10" />}
          title="Nobody here yet"
          text="Whoever signs up appears in this list."
        />
      }
    />
  );
}
