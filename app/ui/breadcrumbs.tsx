import { Link } from "@remix-run/react";

/**
 * Where a page stands: the way back to the start, and the page itself at its end.
 *
 * @param trail the pages above it, from the start on
 */
export function Breadcrumbs({ trail, here }: { trail: { to: string; name: string }[]; here: string }) {
  return (
    <nav aria-label="Breadcrumbs" className="text-sm">
      <ol className="flex min-w-0 items-center">
        {trail.map(({ to, name }) => (
          <li key={to} className="flex shrink-0 items-center">
            <Link
              to={to}
              className="inline-flex min-h-6 items-center text-quiet underline-offset-4 hover:underline"
            >
              {name}
            </Link>
            <span aria-hidden="true" className="px-2 text-quiet">
              ›
            </span>
          </li>
        ))}
        <li className="min-w-0 truncate" aria-current="page">
          {here}
        </li>
      </ol>
    </nav>
  );
}
