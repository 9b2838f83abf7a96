import { Link } from "@remix-run/react";

/** @param trail the pages above the current one, starting with the home page */
export function Breadcrumbs({ trail, here }: { trail: { to: string; name: string }[]; here: string }) {
  return (
    <nav aria-label="Breadcrumbs" className="-my-2.5 text-sm">
      <ol className="flex flex-wrap items-center">
        {trail.map(({ to, name }) => (
          <li key={to} className="flex min-w-0 items-center">
            <Link
              to={to}
              className="inline-flex min-h-11 min-w-0 items-center text-quiet underline-offset-4 hover:underline"
            >
              <span className="truncate">{name}</span>
            </Link>
            <span aria-hidden="true" className="px-2 text-quiet">
              ›
            </span>
          </li>
        ))}
        <li className="min-w-0 wrap-anywhere" aria-current="page">
          {here}
        </li>
      </ol>
    </nav>
  );
}
