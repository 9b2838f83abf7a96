import { Link } from "@remix-run/react";
import { ArrowLeftIcon, ArrowRightIcon } from "#app/ui/icons.tsx";

/**
 * Links to the pages around a page that is read by keys.
 *
 * @param fragment where on the page the list begins, like "#for-sale"
 */
export function KeysetPager({
  path,
  previous,
  next,
  fragment = "",
}: {
  path: string;
  previous: string | null;
  next: string | null;
  fragment?: string;
}) {
  if (!previous && !next) return null;
  return (
    <nav aria-label="Pages" className="mt-8 flex justify-between gap-4">
      {previous ? (
        <Link rel="prev" to={`${path}?before=${previous}${fragment}`} className="btn btn-outline">
          <ArrowLeftIcon /> Previous
        </Link>
      ) : (
        <span />
      )}
      {next && (
        <Link rel="next" to={`${path}?after=${next}${fragment}`} className="btn btn-outline">
          Next <ArrowRightIcon />
        </Link>
      )}
    </nav>
  );
}
