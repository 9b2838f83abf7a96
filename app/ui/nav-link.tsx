import { useLocation } from "@remix-run/react";
import { Link } from "./link.tsx";

/**
 * A menu link. It has `aria-current="page"` while the visitor is on its page, which styles can refer to.
 *
 * @param end whether the pages below its path do not count as its page
 */
export function NavLink({
  to,
  end = false,
  className,
  children,
}: {
  to: string;
  end?: boolean;
  className: string;
  children: string;
}) {
  const { pathname } = useLocation();
  const [current, target] = [normalized(pathname), normalized(to)];
  const isCurrent = current === target || (!end && current.startsWith(`${target}/`));
  return (
    <Link to={to} aria-current={isCurrent ? "page" : undefined} className={className}>
      {children}
    </Link>
  );
}

/** Routes match in any letter case, with or without slashes at the end. */
function normalized(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}
