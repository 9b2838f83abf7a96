import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { UserTable } from "#app/features/administration/user-table.tsx";
import { userTable } from "#app/features/administration/user-tables.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { handleUserIntent } from "./handle-user-action.server.ts";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Users");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = { access: "manage users", menu: { label: "Users" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  // Loaded on demand: few requests need it.
  const { countUsers, listUsers, noteContactSearch } = await import(
    "#app/features/administration/users.server.ts"
  );
  const { cursor, query } = tableQuery(userTable, request);
  const { contact } = query.filters;
  if (contact) await noteContactSearch(context.db, viewer, contact);
  const [users, total] = await Promise.all([
    listUsers(context.db, cursor, query),
    countUsers(context.db, query),
  ]);
  return { viewerId: viewer.id, query, users, total };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = await readForm(request);
  return handleUserIntent(context, request, viewer, {
    intent: form.get("intent"),
    userId: String(form.get("_id")),
    back: pathAndQuery(request),
  });
});

export default function Users() {
  const { users, total, query, viewerId } = useLoaderData<typeof loader>();
  return <UserTable users={users} total={total} viewerId={viewerId} filters={{ table: userTable, query }} />;
}
