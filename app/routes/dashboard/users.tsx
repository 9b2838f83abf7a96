import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireRole } from "#app/auth/guard.server.ts";
import { removeUser } from "#app/features/administration/user-removal.server.ts";
import { userTable } from "#app/features/administration/user-tables.rules.ts";
import { listUsers } from "#app/features/administration/users.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { tableQuery } from "./dashboard-table.tsx";
import { redirectAfterDeletion } from "./table-actions.server.ts";
import { UserTable } from "./user-table.tsx";

export const meta: MetaFunction = () => pageTitle("Users");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const { cursor, query } = tableQuery(userTable, request);
  return { viewerId: viewer.id, query, users: await listUsers(context.db, cursor, query) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  if (!(await withinLimit(context, "delete user", request))) return refusedForm(overLimit("delete user"));
  const form = await readForm(request);
  const removalId = await removeUser(context.db, viewer, String(form.get("_id")));
  return redirectAfterDeletion(context, request, removalId, "User Deleted");
});

export default function Users() {
  const { users, query, viewerId } = useLoaderData<typeof loader>();
  return <UserTable users={users} viewerId={viewerId} filters={{ table: userTable, query }} />;
}
