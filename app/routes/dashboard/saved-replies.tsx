import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requirePermission } from "#app/auth/guard.server.ts";
import {
  DeletedReplyList,
  SavedReplyForm,
  SavedReplyList,
} from "#app/features/administration/saved-replies-view.tsx";
import { savedReplySchema } from "#app/features/administration/saved-reply.schema.ts";
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
import { badRequest } from "#app/server/http/responses.server.ts";
import { ActionError } from "#app/ui/error-box.tsx";
import { actionFailedToast } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Saved replies");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = {
  access: "keep saved replies",
  menu: { label: "Saved replies" },
} satisfies RouteHandle;

/** Loaded on demand: few requests need it. */
const savedReplies = () => import("#app/features/administration/saved-replies.server.ts");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { listDeletedReplies } = await import("#app/features/administration/deletions.server.ts");
  const [replies, deleted] = await Promise.all([
    (await savedReplies()).listSavedReplies(context.db),
    listDeletedReplies(context.db, viewer),
  ]);
  const edited = new URL(request.url).searchParams.get("edit");
  const reply = replies.find(({ id }) => id === edited) ?? null;
  return { replies, deleted, reply, account: viewer.email, formKey: crypto.randomUUID() };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = await readForm(request);
  const intent = form.get("intent");
  const refusal = await formRefusal({ context, request, viewer, form }, "keep saved replies");
  const { deleteReply, replyRefusals, saveReply } = await savedReplies();
  if (intent === "delete") {
    if (refusal) return refusedForm(refusal);
    const undo = await deleteReply(context.db, viewer, String(form.get("_id")));
    const toast = undo
      ? ({ kind: "success", message: "Saved reply deleted", undo } as const)
      : actionFailedToast;
    return redirectWithToast(context, "/manage/replies", toast);
  }
  if (intent !== "save") throw badRequest();
  const submission = parseForm(form, savedReplySchema);
  if (submission.status !== "success") return invalidForm(submission);
  if (refusal) return invalidForm(submission, refusal);
  const formKey = (await submissionKeyOf({ request, form })) ?? crypto.randomUUID();
  const outcome = await saveReply(context.db, viewer, submission.value, formKey);
  if (outcome === "done")
    return redirectWithToast(context, "/manage/replies", { kind: "success", message: "Saved reply saved" });
  const errors = [replyRefusals[outcome]];
  return invalidForm(submission, {
    status: 409,
    ...(outcome === "same title" ? { fieldErrors: { title: errors } } : { formErrors: errors }),
  });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function SavedReplies() {
  const { replies, deleted, reply, account, formKey } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.result;
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Saved replies</h1>
      <p className="mb-6 max-w-prose text-quiet">
        Insert them into decisions and answers to reports. All moderators and administrators can change them.
      </p>
      <ActionError />
      <section aria-labelledby="save" className="max-w-2xl">
        <h2 id="save" className="mb-3 text-xl font-semibold wrap-anywhere">
          {reply ? `Edit “${reply.title}”` : "New saved reply"}
        </h2>
        <SavedReplyForm
          key={reply ? `${reply.id} ${reply.changedAt}` : replies.length}
          reply={reply}
          account={account}
          formKey={formKey}
          lastResult={lastResult}
        />
      </section>
      <section aria-labelledby="saved" className="mt-10 max-w-2xl">
        <h2 id="saved" className="mb-3 text-xl font-semibold">
          Saved
        </h2>
        <SavedReplyList replies={replies} />
      </section>
      {deleted.length > 0 && (
        <section aria-labelledby="deleted" className="mt-10 max-w-2xl">
          <h2 id="deleted" className="mb-3 text-xl font-semibold">
            You’ve just deleted
          </h2>
          <DeletedReplyList replies={deleted} />
        </section>
      )}
    </>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
