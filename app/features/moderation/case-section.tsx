import type { ReactNode } from "react";

export function CaseSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-3 text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** What a user or moderator wrote, set off from the text of the page. */
export function QuotedText({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p dir="auto" className="mt-1 border-l-2 border-base-300 pl-3 wrap-anywhere whitespace-pre-line">
      {text}
    </p>
  );
}
