import type { ReactNode } from "react";
import { SearchIcon } from "./icons.tsx";
import { Link } from "./link.tsx";

export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center rounded-box border border-dashed border-base-300 px-6 py-16 text-center">
      <span className="text-quiet">{icon}</span>
      <p className="mt-4 font-display text-2xl font-semibold text-balance">{title}</p>
      <p className="mt-2 w-full max-w-prose text-balance wrap-anywhere text-quiet">{text}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3 empty:hidden">{children}</div>
    </div>
  );
}

/** A page of a list or table that has no rows any more. */
export function EmptyPage({ firstPage }: { firstPage: string }) {
  return (
    <EmptyState
      icon={<SearchIcon className="size-10" />}
      title="This page is empty"
      text="What was here is gone."
    >
      <Link to={firstPage} className="btn btn-primary">
        Go to the first page
      </Link>
    </EmptyState>
  );
}
