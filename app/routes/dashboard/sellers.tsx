import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireRole } from "#app/auth/guard.server.ts";
import { verifySeller } from "#app/features/administration/seller-verification.server.ts";
import { removeUser } from "#app/features/administration/user-removal.server.ts";
import { asSellers, sellerTable } from "#app/features/administration/user-tables.rules.ts";
import { listUsers } from "#app/features/administration/users.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { tableQuery } from "./dashboard-table.tsx";
import { actionFailedToast, redirectAfterDeletion } from "./table-actions.server.ts";
import { UserTable } from "./user-table.tsx";

export const meta: MetaFunction = () => pageTitle("Sellers");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const { cursor, query } = tableQuery(sellerTable, request);
  const sellers = await listUsers(context.db, cursor, asSellers(query));
  return { viewerId: viewer.id, query, sellers };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const form = await readForm(request);
  const mutation = form.get("intent") === "delete" ? "delete user" : "verify seller";
  if (!(await withinLimit(context, mutation, request))) return refusedForm(overLimit(mutation));
  const sellerId = String(form.get("_id"));
  if (form.get("intent") === "delete") {
    return redirectAfterDeletion(
      context,
      request,
      await removeUser(context.db, viewer, sellerId),
      "User Deleted",
    );
  }
  const isVerifying = form.get("intent") === "verify";
  const undo = isVerifying && (await verifySeller(context.db, viewer, sellerId)).removalId;
  const toast = undo ? ({ kind: "success", message: "User verified", undo } as const) : actionFailedToast;
  return redirectWithToast(context, pathAndQuery(request), toast);
});

export default function Sellers() {
  const { sellers, query, viewerId } = useLoaderData<typeof loader>();
  return <UserTable users={sellers} viewerId={viewerId} filters={{ table: sellerTable, query }} verifiable />;
}
