import type { ReactNode } from "react";
import { ArrowLeftIcon, ArrowRightIcon } from "./icons.tsx";
import { Link } from "./link.tsx";

export function Pager({
  previous,
  next,
  children,
}: {
  previous: string | null;
  next: string | null;
  children?: ReactNode;
}) {
  if (!previous && !next) return null;
  return (
    <nav aria-label="Pages" className="mt-8 grid grid-cols-2 gap-4 sm:grid-cols-[1fr_auto_1fr]">
      {previous ? (
        <Link rel="prev" to={previous} className="btn justify-self-start btn-outline">
          <ArrowLeftIcon /> Previous
        </Link>
      ) : (
        <span />
      )}
      {children}
      {next && (
        <Link rel="next" to={next} className="btn justify-self-end btn-outline sm:col-start-3">
          Next <ArrowRightIcon />
        </Link>
      )}
    </nav>
  );
}
