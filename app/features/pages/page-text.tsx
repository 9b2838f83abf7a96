import { dayLabel } from "#app/time.ts";

/** The text of a page. @param html as the server has rendered it from Markdown, in which HTML is text */
export function PageText({ html, className = "" }: { html: string; className?: string }) {
  return <div className={`page-text ${className}`} dangerouslySetInnerHTML={{ __html: html }} />;
}

export function PublishedPage({
  title,
  html,
  createdAt,
}: {
  title: string;
  html: string;
  createdAt: string;
}) {
  return (
    <article className="page-width pt-10 sm:pt-16">
      <h1 className="max-w-3xl text-4xl font-semibold wrap-anywhere sm:text-6xl">{title}</h1>
      <p className="mt-4 text-quiet">
        Last updated <time dateTime={createdAt}>{dayLabel(createdAt)}</time>
      </p>
      <PageText html={html} className="mt-8 text-lg" />
    </article>
  );
}
