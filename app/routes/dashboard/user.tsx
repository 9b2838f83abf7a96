import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { idKey, parseCursor } from "#app/db/cursor.ts";
import { NotesSection } from "#app/features/administration/notes-section.tsx";
import { Timeline } from "#app/features/administration/timeline-view.tsx";
import { DeletedUserView, UserView } from "#app/features/administration/user-view.tsx";
import { CaseClaim } from "#app/features/administration/work-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { handleUserIntent } from "./handle-user-action.server.ts";
import { notesFor, writeNote } from "./write-note.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `User: ${(data.deleted ?? data.details.user).name}` : "User");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = { access: "manage users" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { userId = "" } = params;
  const cursor = parseCursor(new URL(request.url).searchParams, idKey);
  // Loaded on demand: few requests need them.
  const [{ findUserDetails }, { listTimeline }] = await Promise.all([
    import("#app/features/administration/user-details.server.ts"),
    import("#app/features/administration/timeline.server.ts"),
  ]);
  const { findClaim } = await import("#app/features/administration/work.server.ts");
  const [details, work, notes, timeline] = await Promise.all([
    findUserDetails(context.db, viewer, userId),
    findClaim(context.db, viewer, `/manage/users/${userId}`),
    notesFor(context, viewer, { kind: "user", id: userId }),
    listTimeline(context.db, viewer, userId, cursor),
  ]);
  if (!details) {
    const { findDeletedUser } = await import("#app/features/administration/deletions.server.ts");
    const deleted = await findDeletedUser(context.db, viewer, userId);
    if (!deleted) throw notFound();
    return { deleted };
  }
  return { deleted: null, viewerId: viewer.id, details, work, notes, timeline };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { userId = "" } = params;
  const form = await readForm(request);
  if (form.get("intent") === "note") {
    return writeNote({ context, request, viewer, form }, { kind: "user", id: userId });
  }
  return handleUserIntent(context, request, viewer, {
    intent: form.get("intent"),
    userId,
    back: `/manage/users/${encodeURIComponent(userId)}`,
    // The page of a deleted user does not exist.
    backAfterDeletion: "/manage/users",
  });
});

export default function UserPage() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<{ result?: SubmissionResult<string[]> }>()?.result;
  if (data.deleted)
    return (
      <>
        <BackLink to="/manage/users">Users</BackLink>
        <DeletedUserView user={data.deleted} />
      </>
    );
  const { details, work, notes, timeline, viewerId } = data;
  return (
    <>
      <BackLink to="/manage/users">Users</BackLink>
      <CaseClaim work={work} />
      <UserView details={details} isOwn={details.user.id === viewerId}>
        {notes && <NotesSection {...notes} result={result} />}
        <Timeline path={`/manage/users/${details.user.id}`} timeline={timeline} />
      </UserView>
    </>
  );
}
