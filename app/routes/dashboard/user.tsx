import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { findUserDetails } from "#app/features/administration/user-details.server.ts";
import { UserView } from "#app/features/administration/user-view.tsx";
import { findClaim } from "#app/features/administration/work.server.ts";
import { CaseClaim } from "#app/features/administration/work-view.tsx";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { handleUserIntent } from "./user-actions.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `User: ${data.details.user.name}` : "User");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, "manage users");
  const { userId = "" } = params;
  const [details, work] = await Promise.all([
    findUserDetails(context.db, userId),
    findClaim(context.db, viewer, `/manage/users/${userId}`),
  ]);
  if (!details) throw notFound();
  return { viewerId: viewer.id, details, work };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, "manage users");
  const { userId = "" } = params;
  const form = await readForm(request);
  return handleUserIntent(context, request, viewer, {
    intent: form.get("intent"),
    userId,
    back: `/manage/users/${encodeURIComponent(userId)}`,
    // The page of a deleted user does not exist.
    backAfterDeletion: "/manage/users",
  });
});

export default function UserPage() {
  const { details, work, viewerId } = useLoaderData<typeof loader>();
  return (
    <>
      <BackLink to="/manage/users">Users</BackLink>
      <CaseClaim work={work} />
      <UserView details={details} isOwn={details.user.id === viewerId} />
    </>
  );
}
