import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import { announcementSchema, messageToUserSchema } from "#app/features/administration/announcement.schema.ts";
import {
  announce,
  endAnnouncement,
  findRecipient,
  listAnnouncements,
  writeToUser,
} from "#app/features/administration/announcements.server.ts";
import {
  AnnouncementForm,
  AnnouncementList,
  MessageToUserForm,
} from "#app/features/administration/announcements-view.tsx";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { formKeyOf, invalidForm, parseForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { actionFailedToast } from "./table-requests.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data?.user ? `Write to ${data.user.name}` : "Announcements");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

/** Who is written to; null for an announcement. */
const recipientOf = (request: Request) => new URL(request.url).searchParams.get("user");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, "write to users");
  const form = { account: viewer.email, formKey: crypto.randomUUID() };
  const today = new Date().toISOString().slice(0, 10);
  const id = recipientOf(request);
  if (id === null) {
    return { form, today, user: null, announcements: await listAnnouncements(context.db) };
  }
  const name = await findRecipient(context.db, id);
  if (name === null) throw notFound();
  return { form, today, user: { id, name }, announcements: [] };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, "write to users");
  const { db } = context;
  const form = await readForm(request);
  const intent = form.get("intent");
  const refusal =
    accountChangeRefusal(form, viewer) ?? (await rateLimitRefusal(context, "write to users", request));
  if (intent === "end") {
    if (refusal) return refusedForm(refusal);
    const isEnded = await endAnnouncement(db, viewer, String(form.get("_id")));
    const toast = isEnded ? ({ kind: "success", message: "Announcement ended" } as const) : actionFailedToast;
    return redirectWithToast(context, pathAndQuery(request), toast);
  }
  if (intent !== "write" && intent !== "announce") throw badRequest();
  const formKey = formKeyOf(form) ?? crypto.randomUUID();
  if (intent === "announce") {
    const submission = parseForm(form, announcementSchema);
    if (submission.status !== "success") return invalidForm(submission);
    if (refusal) return invalidForm(submission, refusal);
    await announce(db, viewer, submission.value, formKey);
    return redirectWithToast(context, pathAndQuery(request), { kind: "success", message: "Announced" });
  }
  const submission = parseForm(form, messageToUserSchema);
  if (submission.status !== "success") return invalidForm(submission);
  if (refusal) return invalidForm(submission, refusal);
  const userId = recipientOf(request) ?? "";
  if (!(await writeToUser(db, viewer, userId, submission.value.text, formKey))) throw notFound();
  return redirectWithToast(context, `/manage/users/${encodeURIComponent(userId)}`, {
    kind: "success",
    message: "Message sent",
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Announcements() {
  const { form, today, user, announcements } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.result;
  if (user) {
    return (
      <>
        <BackLink to={`/manage/users/${user.id}`}>{user.name}</BackLink>
        <h1 className="mb-6 text-3xl font-semibold wrap-anywhere">Write to {user.name}</h1>
        <MessageToUserForm key={form.formKey} {...form} lastResult={lastResult} />
      </>
    );
  }
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Announcements</h1>
      <p className="mb-6 max-w-prose text-quiet">
        Tell everyone, or all sellers, what’s new or what to expect. To write to one person, open their page
        under Users.
      </p>
      <ActionError />
      <AnnouncementForm key={form.formKey} {...form} today={today} lastResult={lastResult} />
      <section aria-labelledby="announced" className="mt-10 max-w-2xl">
        <h2 id="announced" className="mb-3 text-xl font-semibold">
          Announced
        </h2>
        <AnnouncementList announcements={announcements} />
      </section>
    </>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
