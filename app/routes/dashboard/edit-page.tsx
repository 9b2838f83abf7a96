import type {
  ActionFunctionArgs,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/cloudflare";
import { json } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import type { PageKind } from "#app/db/values.ts";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import { renderMarkdown } from "#app/features/pages/markdown.server.ts";
import { pageSchema } from "#app/features/pages/page.schema.ts";
import { newSlug } from "#app/features/pages/page-slugs.ts";
import stylesheet from "#app/features/pages/page-text.css?url";
import { findPageToEdit, freeSlug, savePage } from "#app/features/pages/pages.server.ts";
import { PageEditor } from "#app/features/pages/pages-view.tsx";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data?.page ? `Edit ${data.page.text.title}` : "New page");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

const newKind = (request: Request): PageKind =>
  new URL(request.url).searchParams.get("kind") === "post" ? "post" : "page";

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, "write pages");
  const slug = params.slug ?? "";
  if (slug === newSlug) return { page: null, kind: newKind(request), account: viewer.email };
  const page = await findPageToEdit(context.db, slug, new URL(request.url).searchParams.get("version"));
  if (!page) throw notFound();
  return { page, kind: page.kind, account: viewer.email };
});

const toasts = { draft: "Draft saved", published: "Published", unpublished: "Unpublished" };

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, "write pages");
  const form = await readForm(request);
  const submission = parseForm(form, pageSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal =
    accountChangeRefusal(form, viewer) ?? (await rateLimitRefusal(context, "write pages", request));
  if (refusal) return invalidForm(submission, refusal);
  const { intent: state, ...text } = submission.value;
  if (state === "preview") {
    return json({
      result: submission.reply(),
      preview: { title: text.title, html: renderMarkdown(text.body) },
    });
  }
  const isNew = params.slug === newSlug;
  const page = isNew ? null : await findPageToEdit(context.db, params.slug ?? "", null);
  if (!isNew && !page) throw notFound();
  const slug = page?.slug ?? freeSlug(text.title);
  if (slug === null) {
    return invalidForm(submission, { fieldErrors: { title: [takenTitle] } });
  }
  const outcome = await savePage(context.db, viewer, {
    ...text,
    slug,
    kind: page?.kind ?? newKind(request),
    state,
    base: String(form.get("base") ?? "") || null,
  });
  if (outcome) {
    return invalidForm(submission, {
      status: 409,
      ...(isNew ? { fieldErrors: { title: [takenTitle] } } : { formErrors: [changedMeanwhile] }),
    });
  }
  return redirectWithToast(context, `/manage/pages/${slug}`, { kind: "success", message: toasts[state] });
});

const takenTitle = "There’s a page with this title: choose another";
const changedMeanwhile =
  "Someone has saved a newer version. Copy your text, open the page again, and add your changes there.";

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function EditPage() {
  const actionData = useActionData<typeof action>();
  const preview = actionData && "preview" in actionData ? actionData.preview : undefined;
  return <PageEditor {...useLoaderData<typeof loader>()} lastResult={actionData?.result} preview={preview} />;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
