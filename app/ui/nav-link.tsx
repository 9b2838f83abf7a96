import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Link } from "./link.tsx";

/** A menu link with `aria-current="page"` on its page. */
export function NavLink({
  to,
  end = false,
  className,
  children,
}: {
  to: string;
  end?: boolean;
  className: string;
  children: ReactNode;
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

/** Routes match in any letter case, with or without trailing slashes. */
function normalized(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}
