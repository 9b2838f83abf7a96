/** What a user or moderator wrote, set off from the text of the page. */
export function QuotedText({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p dir="auto" className="mt-1 border-l-2 border-base-300 pl-3 wrap-anywhere whitespace-pre-line">
      {text}
    </p>
  );
}
