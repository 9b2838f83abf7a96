/** A number of things that are unread or wait, after a label. */
export function UnreadBadge({
  count,
  meaning = "unread",
  className = "",
}: {
  count: number;
  meaning?: string;
  className?: string;
}) {
  if (count === 0) return null;
  return (
    <span
      className={`badge badge-sm border-transparent bg-accent font-semibold text-accent-content ${className}`}
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {meaning}</span>
    </span>
  );
}
