import { Link, useLocation } from "@remix-run/react";

/**
 * A link that tells, to the eye and to screen readers, whether its visitor is there. It does what the router's own
 * `NavLink` does for us, and is half as much to render: two menus of them are on every page.
 *
 * @param end whether one is not there on the pages below it
 */
export function PlaceLink({
  to,
  end = false,
  className,
  children,
}: {
  to: string;
  end?: boolean;
  className: (isHere: boolean) => string;
  children: string;
}) {
  const { pathname } = useLocation();
  const [here, there] = [plain(pathname), plain(to)];
  const isHere = here === there || (!end && here.startsWith(`${there}/`));
  return (
    <Link to={to} aria-current={isHere ? "page" : undefined} className={className(isHere)}>
      {children}
    </Link>
  );
}

/** Our routes take either case, and slashes at the end. */
function plain(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}
