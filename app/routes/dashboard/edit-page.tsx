import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requirePermission } from "#app/auth/guard.server.ts";
import type { PageKind } from "#app/db/enums.ts";
import { pageFormSchema } from "#app/features/pages/page.schema.ts";
import { newPageSlug } from "#app/features/pages/page-slugs.ts";
import stylesheet from "#app/features/pages/page-text.css?url";
import {
  findPageToEdit,
  freePageSlug,
  gapsQuestion,
  loadMarkdown,
  savePage,
  storePagePicture,
} from "#app/features/pages/pages.server.ts";
import { type EditorAnswer, PageEditor } from "#app/features/pages/pages-view.tsx";
import { hasProvider } from "#app/features/payments/provider.ts";
import {
  choosePhotosAgainText,
  photoRefusalText,
  uploadTooLargeText,
} from "#app/features/photos/photo-refusals.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { filesIn, readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, invalidForm, parseForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { acceptsHtml } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { confirmedIn } from "../message-question.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data?.page ? `Edit ${data.page.text.title}` : "New page");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

const newKind = (request: Request): PageKind =>
  new URL(request.url).searchParams.get("kind") === "post" ? "post" : "page";

export const handle = { access: "write pages", uploads: "fields and files" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const slug = params.slug ?? "";
  if (slug === newPageSlug) return { page: null, kind: newKind(request), account: viewer.email };
  const version = new URL(request.url).searchParams.get("version");
  const page = await findPageToEdit(context.db, slug, version, hasProvider(context.environment));
  if (!page) throw notFound();
  return { page, kind: page.text.kind, account: viewer.email };
});

const toasts = { draft: "Draft saved", published: "Published", unpublished: "Unpublished" };

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { form, isTooLarge } = await readUpload(request);
  const submission = parseForm(form, pageFormSchema(form));
  const [file] = filesIn(form, "picture");
  const refuse = (refusal: FormRefusal = {}) =>
    invalidForm(submission, {
      ...(file && acceptsHtml(request) && { formErrors: [choosePhotosAgainText] }),
      ...refusal,
    });
  if (isTooLarge) return refuse({ status: 413, fieldErrors: { picture: [uploadTooLargeText] } });
  if (submission.status !== "success") return refuse();
  const refusal = await formRefusal({ context, request, viewer, form }, "write pages");
  if (refusal) return refuse(refusal);
  const { value } = submission;
  const { findGaps, renderMarkdown } = await loadMarkdown();
  const asked = confirmedIn(form);
  if (value.intent === "picture") {
    const { photoStorage, reference } = context;
    if (!file) return refuse({ fieldErrors: { picture: ["Choose a picture first"] } });
    const stored = await storePagePicture(photoStorage, { file, words: value.words, reference });
    if ("refusal" in stored) return refuse({ fieldErrors: { picture: [photoRefusalText(stored.refusal)] } });
    const { kind, title, inFooter } = submission.payload;
    const body = `${value.body.trimEnd()}\n\n${stored.markdown}\n`.trimStart();
    return json({
      result: { initialValue: { kind, title, body, inFooter } },
      asked,
      preview: { title: value.title, html: renderMarkdown(body) },
      picture: stored.markdown,
    });
  }
  const { intent: state, ...text } = value;
  if (state === "preview") {
    const preview = { title: text.title, html: renderMarkdown(text.body) };
    return json({ result: submission.reply(), asked, preview });
  }
  const gaps = state === "published" ? findGaps(text.body) : [];
  if (gaps.some((gap) => !asked.includes(gap)))
    return refuse({ fieldErrors: { body: [gapsQuestion(gaps)] }, asked: gaps });
  const isNew = params.slug === newPageSlug;
  const page = isNew ? null : await findPageToEdit(context.db, params.slug ?? "", null);
  if (!isNew && !page) throw notFound();
  const slug = page?.slug ?? (await freePageSlug(text.title));
  if (slug === null) {
    return refuse({ fieldErrors: { title: [takenTitle] } });
  }
  const outcome = await savePage(context.db, viewer, {
    ...text,
    slug,
    kind: value.kind ?? page?.text.kind ?? newKind(request),
    state,
    base: String(form.get("base") ?? "") || null,
  });
  if (outcome) {
    return refuse({
      status: 409,
      ...(isNew ? { fieldErrors: { title: [takenTitle] } } : { formErrors: [changedMeanwhile] }),
    });
  }
  return redirectWithToast(context, `/manage/pages/${slug}`, { kind: "success", message: toasts[state] });
});

const takenTitle = "Another page has this title. Choose a different one.";
const changedMeanwhile =
  "Someone has saved a newer version. Copy your text, open the page again, and add your changes there.";

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function EditPage() {
  const { result, ...answer } = useActionData<Partial<EditorAnswer>>() ?? {};
  return <PageEditor {...useLoaderData<typeof loader>()} {...answer} lastResult={result} />;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
