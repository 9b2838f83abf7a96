/** A number of unread things, after a label. */
export function UnreadBadge({ count, className = "" }: { count: number; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={`badge badge-sm border-transparent bg-accent font-semibold text-accent-content ${className}`}
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> unread</span>
    </span>
  );
}
