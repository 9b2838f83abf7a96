import { getFormProps, getInputProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import type { PageKind } from "#app/db/enums.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import {
  ConfirmedValues,
  Field,
  FormErrors,
  LabelledField,
  SelectField,
  TextAreaField,
} from "#app/ui/field.tsx";
import { focusOnMount } from "#app/ui/focus.ts";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { photoLimitTexts, photoTypes } from "../photos/photo.rules.ts";
import { type PageFields, pageSchema } from "./page.schema.ts";
import { aboutSlug, pagePath } from "./page-slugs.ts";
import { PageText } from "./page-text.tsx";
import type { findPageToEdit, ListedPage } from "./pages.server.ts";

const lawyer = "Have your lawyer read this";

export function PageList({ pages }: { pages: ListedPage[] }) {
  return (
    <ul className="max-w-2xl divide-y divide-base-300 border-y border-base-300">
      {pages.map((page) => (
        <li key={page.slug} className="py-4">
          <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <Link to={`/manage/pages/${page.slug}`} className="link font-medium wrap-anywhere">
              {page.title}
            </Link>
            {page.isPublished && (
              <a href={pagePath(page.slug)} className="link text-sm" aria-label={`View ${page.title}`}>
                View
              </a>
            )}
          </p>
          <p className="mt-1 text-sm text-quiet">
            {page.kind === "post" && "Blog post. "}
            {page.slug === aboutSlug && "The end of About us. "}
            {stateLabel(page)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function stateLabel({ isSuggested, isPublished, hasDraft }: ListedPage): string {
  if (isSuggested) return `Our suggestion, not published. ${lawyer}`;
  if (isPublished) return hasDraft ? "Published, with a newer draft" : "Published";
  return hasDraft ? "Draft" : "Unpublished";
}

const states = { draft: "Draft", published: "Published", unpublished: "Unpublished" };

type Page = SerializeFrom<NonNullable<Awaited<ReturnType<typeof findPageToEdit>>>>;

/** What became of the form. */
export interface EditorAnswer {
  result: SubmissionResult<string[]>;
  /** Gaps in the text that the administrator was asked about. */
  asked: string[];
  /** What was typed. */
  preview: { title: string; html: string };
  /** The picture that was added to the text, in Markdown. */
  picture: string;
}

/** @param page null for a new one */
export function PageEditor({
  page,
  kind,
  account,
  lastResult,
  asked,
  preview,
  picture,
}: {
  page: Page | null;
  kind: PageKind;
  account: string;
  lastResult: SubmissionResult<string[]> | undefined;
} & Partial<Omit<EditorAnswer, "result">>) {
  const { dateTimeLabel } = useDateLabels();
  const shown = preview ?? (page && { title: page.text.title, html: page.html });
  const [newest] = page?.versions ?? [];
  const earlier = page?.versions.find(({ id }) => id === page.versionId && id !== newest?.id);
  return (
    <div className="max-w-3xl">
      <BackLink to="/manage/pages">Pages</BackLink>
      <h1 className="mb-2 text-3xl font-semibold wrap-anywhere">
        {page?.text.title ?? (kind === "post" ? "New blog post" : "New page")}
      </h1>
      <p className="mb-6 text-quiet">
        {page?.isPublished ? (
          <>
            Published at{" "}
            <a href={pagePath(page.slug)} className="link">
              {pagePath(page.slug)}
            </a>
          </>
        ) : (
          "Not published: only administrators see it."
        )}
      </p>
      {page?.isSuggestion && (
        <p className="mb-6 rounded-box bg-accent px-4 py-3 text-accent-content">
          <strong className="font-semibold">{lawyer}</strong> before you publish it. It’s only our suggestion.
          Fill in what’s in [brackets].
        </p>
      )}
      {earlier && (
        <p className="mb-6 rounded-box bg-base-200 px-4 py-3">
          This is the version of {dateTimeLabel(earlier.createdAt)}. Publish it to bring it back.
        </p>
      )}
      <PageForm
        // A new key shows the text with the picture.
        key={`${page?.versionId} ${picture}`}
        page={page}
        kind={kind}
        account={account}
        base={newest?.id ?? ""}
        lastResult={lastResult}
        asked={asked}
        picture={picture}
      />
      {shown && (
        <section id="preview" aria-labelledby="preview-title" className="mt-10 scroll-mt-24">
          <h2 id="preview-title" className="mb-3 text-xl font-semibold">
            Preview
          </h2>
          <div className="rounded-box border border-base-300 p-4 sm:p-8">
            <p className="font-display text-4xl leading-tight font-semibold wrap-anywhere">{shown.title}</p>
            <PageText html={shown.html} className="mt-6 text-lg" />
          </div>
        </section>
      )}
      {page && page.versions.length > 0 && (
        <section aria-labelledby="history" className="mt-10">
          <h2 id="history" className="mb-3 text-xl font-semibold">
            History
          </h2>
          <ul className="divide-y divide-base-300 border-y border-base-300">
            {page.versions.map(({ id, state, author, createdAt }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
                <span className="wrap-anywhere">
                  {states[state]} by <bdi>{author}</bdi>
                </span>
                <Link to={`?version=${id}`} className="link text-sm">
                  <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const blank: PageFields = { title: "", body: "", inFooter: false };

const kindNames: Record<PageKind, string> = { page: "Page", post: "Blog post" };

function PageForm({
  page,
  kind,
  account,
  base,
  lastResult,
  asked,
  picture,
}: Pick<
  Parameters<typeof PageEditor>[0],
  "page" | "kind" | "account" | "lastResult" | "asked" | "picture"
> & {
  /** The newest version now. */
  base: string;
}) {
  const [form, fields] = useSchemaForm(pageSchema, {
    id: "page",
    lastResult,
    defaultValue: page?.text ?? { ...blank, kind },
    shouldValidate: "onSubmit",
  });
  const { key: _, ...inFooter } = getInputProps(fields.inFooter, { type: "checkbox" });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} autoComplete="off" className="grid gap-5">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="base" value={base} />
      <ConfirmedValues asked={asked} />
      <FormErrors
        form={form}
        labels={{ kind: "Kind", title: "Title", body: "Text", picture: "Picture", words: "What it shows" }}
      />
      {page?.slug !== aboutSlug && (
        <SelectField
          field={fields.kind}
          label="Kind"
          options={kindNames}
          none={null}
          hint="Blog posts are listed on Blogs."
        />
      )}
      <Field field={fields.title} label="Title" />
      <TextAreaField
        field={fields.body}
        label="Text"
        rows={20}
        hint="In Markdown: ## heading, **bold**, - list, [words](/address). HTML doesn’t work."
      />
      <details
        id="picture"
        // Only by the last response: errors while typing would close it when they end.
        open={Boolean(picture || lastResult?.error?.picture || lastResult?.error?.words)}
        className="group scroll-mt-24 rounded-box border border-base-300"
      >
        <summary className="flex items-center gap-3 p-4">
          <span className="flex-1 font-medium">Add a picture</span>
          <ChevronDownIcon className="size-5 group-open:rotate-180" />
        </summary>
        <div className="grid gap-5 p-4 pt-1">
          {picture && (
            <p role="status" ref={focusOnMount} tabIndex={-1}>
              Added at the end of your text. Move this line to where you want the picture:{" "}
              <code className="text-sm wrap-anywhere">{picture}</code>
            </p>
          )}
          <LabelledField
            id={fields.picture.id}
            label="Picture"
            field={fields.picture}
            hint={`${photoLimitTexts.types}, up to ${photoLimitTexts.bytes}. We remove hidden data, such as where it was taken.`}
          >
            <input
              id={fields.picture.id}
              type="file"
              name={fields.picture.name}
              accept={photoTypes}
              aria-describedby={`${fields.picture.descriptionId} ${fields.picture.errorId}`}
              aria-invalid={fields.picture.errors ? true : undefined}
              className="w-full cursor-pointer text-sm file:mr-4 file:rounded-field file:border file:px-4 file:py-2.5 file:font-semibold"
            />
          </LabelledField>
          <Field
            field={fields.words}
            label="What it shows"
            hint="In a few words, for people who can’t see it."
          />
          <SubmitButton
            intent="picture"
            formAction="#picture"
            formEncType="multipart/form-data"
            className="btn-outline justify-self-start"
          >
            Add picture
          </SubmitButton>
        </div>
      </details>
      {page?.slug === aboutSlug ? (
        <p className="text-sm text-quiet">It’s shown at the end of About us.</p>
      ) : (
        <label className="flex cursor-pointer gap-3">
          <input {...inFooter} className="mt-0.5 size-5 shrink-0 accent-primary" />
          Show a link at the bottom of every page
        </label>
      )}
      <div className="flex flex-wrap gap-3">
        {/* First, since Enter in a field presses it. */}
        <SubmitButton intent="preview" formAction="#preview" className="btn-outline">
          Preview
        </SubmitButton>
        <SubmitButton intent="draft" className="btn-outline">
          Save draft
        </SubmitButton>
        <SubmitButton intent="published">Publish</SubmitButton>
        {page?.isPublished && (
          <SubmitButton intent="unpublished" className="btn-outline">
            Unpublish
          </SubmitButton>
        )}
      </div>
    </Form>
  );
}
