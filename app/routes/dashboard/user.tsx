import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireRole } from "#app/auth/guard.server.ts";
import { verifySeller } from "#app/features/administration/seller-verification.server.ts";
import { findUserDetails } from "#app/features/administration/user-details.server.ts";
import { removeUser } from "#app/features/administration/user-removal.server.ts";
import { endSessions } from "#app/features/administration/user-sessions.server.ts";
import { UserView } from "#app/features/administration/user-view.tsx";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { actionFailedToast } from "./table-actions.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `User: ${data.details.user.name}` : "User");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const details = await findUserDetails(context.db, params.userId ?? "");
  if (!details) throw notFound();
  return { viewerId: viewer.id, details };
});

const mutations = { delete: "delete user", verify: "verify seller", "end sessions": "end sessions" } as const;

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const { userId = "" } = params;
  const intent = (await readForm(request)).get("intent");
  if (intent !== "delete" && intent !== "verify" && intent !== "end sessions") throw badRequest();
  const mutation = mutations[intent];
  if (!(await withinLimit(context, mutation, request))) return refusedForm(overLimit(mutation));
  const page = `/manage/users/${encodeURIComponent(userId)}`;
  const success = (message: string) => ({ kind: "success", message }) as const;
  if (intent === "delete") {
    const undo = await removeUser(context.db, viewer, userId);
    if (!undo) return redirectWithToast(context, page, actionFailedToast);
    // The page of a deleted user does not exist.
    return redirectWithToast(context, "/manage/users", { ...success("User Deleted"), undo });
  }
  if (intent === "verify") {
    const { removalId: undo } = await verifySeller(context.db, viewer, userId);
    const toast = undo ? { ...success("User verified"), undo } : actionFailedToast;
    return redirectWithToast(context, page, toast);
  }
  const isEnded = await endSessions(context.db, viewer, userId);
  return redirectWithToast(context, page, isEnded ? success("All sessions ended") : actionFailedToast);
});

export default function UserPage() {
  const { details, viewerId } = useLoaderData<typeof loader>();
  return (
    <>
      <BackLink to="/manage/users">Users</BackLink>
      <UserView details={details} isOwn={details.user.id === viewerId} />
    </>
  );
}
