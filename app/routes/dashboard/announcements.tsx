import type {
  ActionFunctionArgs,
  AppLoadContext,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requirePermission } from "#app/auth/guard.server.ts";
import {
  announcementSchema,
  messageToUsersSchema,
} from "#app/features/administration/announcement.schema.ts";
import {
  AnnouncementForm,
  AnnouncementList,
  MessageToUsersForm,
} from "#app/features/administration/announcements-view.tsx";
import {
  maxSelectedRows,
  nothingSelected,
  tooManySelected,
} from "#app/features/administration/bulk.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  invalidForm,
  parseForm,
  readForm,
  refusedForm,
  submissionKeyOf,
} from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery, safeRedirect } from "#app/server/http/paths.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { dayMs, isoDay } from "#app/time.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { actionFailedToast } from "./table-requests.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data?.recipients ? writeTitle(data.recipients) : "Announcements");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

/** Loaded on demand: few requests need it. */
const announcing = () => import("#app/features/administration/announcements.server.ts");

const writeTitle = ([first, ...others]: { name: string }[]) =>
  others.length === 0 ? `Write to ${first?.name}` : `Write to ${others.length + 1} users`;

/**
 * Who is written to, one user or those chosen in a table; null for an announcement.
 * @throws Response that redirects to the table if none or too many were chosen
 */
async function recipientsOf(context: AppLoadContext, request: Request) {
  const { searchParams } = new URL(request.url);
  const ids = [...new Set(searchParams.getAll("id"))];
  const isChosen = searchParams.has("back");
  if (ids.length === 0 && !isChosen) return null;
  const [first = ""] = ids;
  const back = safeRedirect(
    searchParams.get("back"),
    ids.length === 1 ? `/manage/users/${encodeURIComponent(first)}` : "/manage/users",
  );
  if (ids.length === 0 || ids.length > maxSelectedRows) {
    const message = ids.length === 0 ? nothingSelected : tooManySelected;
    throw await redirectWithToast(context, back, { kind: "error", message });
  }
  const recipients = await (await announcing()).findRecipients(context.db, ids);
  if (recipients.length === 0) throw notFound();
  return { recipients, back };
}

export const handle = { access: "write to users", menu: { label: "Announcements" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = { account: viewer.email, formKey: crypto.randomUUID() };
  const today = Math.floor(Date.now() / dayMs);
  // A week.
  const days = { from: isoDay(today), to: isoDay(today + 6) };
  const chosen = await recipientsOf(context, request);
  if (chosen) return { form, days, ...chosen, announcements: [] };
  const { listAnnouncements } = await announcing();
  return { form, days, recipients: null, back: "", announcements: await listAnnouncements(context.db) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { db } = context;
  const form = await readForm(request);
  const intent = form.get("intent");
  const { addAnnouncement, endAnnouncement, writeToUser } = await announcing();
  const refusal = await formRefusal({ context, request, viewer, form }, "write to users");
  if (intent === "end") {
    if (refusal) return refusedForm(refusal);
    const { removalId: undo } = await endAnnouncement(db, viewer, String(form.get("_id")));
    const toast = undo
      ? ({ kind: "success", message: "Announcement ended", undo } as const)
      : actionFailedToast;
    return redirectWithToast(context, pathAndQuery(request), toast);
  }
  if (intent !== "write" && intent !== "announce") throw badRequest();
  const formKey = (await submissionKeyOf({ request, form })) ?? crypto.randomUUID();
  if (intent === "announce") {
    const submission = parseForm(form, announcementSchema);
    if (submission.status !== "success") return invalidForm(submission);
    if (refusal) return invalidForm(submission, refusal);
    await addAnnouncement(db, viewer, submission.value, formKey);
    return redirectWithToast(context, pathAndQuery(request), { kind: "success", message: "Announced" });
  }
  const submission = parseForm(form, messageToUsersSchema);
  if (submission.status !== "success") return invalidForm(submission);
  if (refusal) return invalidForm(submission, refusal);
  const chosen = await recipientsOf(context, request);
  if (!chosen) throw notFound();
  const { recipients, back } = chosen;
  let count = 0;
  for (const { id } of recipients)
    if (await writeToUser(db, viewer, id, submission.value.text, formKey)) count += 1;
  const message = count === 1 ? "Message sent" : `Message sent to ${count} users`;
  return redirectWithToast(context, back, { kind: "success", message });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Announcements() {
  const { form, days, recipients, back, announcements } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.result;
  if (recipients) {
    const count = recipients.length;
    return (
      <>
        <BackLink to={back}>{(count === 1 && recipients[0]?.name) || "Users"}</BackLink>
        <h1 className="mb-6 text-3xl font-semibold wrap-anywhere">{writeTitle(recipients)}</h1>
        {count > 1 && (
          <ul className="mb-6 list-disc pl-5">
            {recipients.map(({ id, name, email }) => (
              <li key={id} className="wrap-anywhere">
                <bdi>{name}</bdi> (<EmailAddress email={email} />)
              </li>
            ))}
          </ul>
        )}
        <MessageToUsersForm key={form.formKey} {...form} count={count} lastResult={lastResult} />
      </>
    );
  }
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Announcements</h1>
      <p className="mb-6 max-w-prose text-quiet">
        Tell everyone, or all sellers, what’s new or what to expect. To write to one person or several, go to
        Users.
      </p>
      <ActionError />
      <AnnouncementForm key={form.formKey} {...form} days={days} lastResult={lastResult} />
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
