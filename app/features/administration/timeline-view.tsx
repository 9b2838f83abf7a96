import type { SerializeFrom } from "@remix-run/cloudflare";
import { dateTimeLabel } from "#app/time.ts";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import type { TimelineEntry } from "./timeline.server.ts";

/** What happened around an account, the newest first. @param path the page that shows it */
export function Timeline({
  path,
  timeline: { rows, previous, next },
}: {
  path: string;
  timeline: { rows: SerializeFrom<TimelineEntry>[]; previous: string | null; next: string | null };
}) {
  return (
    <section id="timeline" aria-labelledby="timeline-title" className="scroll-mt-24">
      <h2 id="timeline-title" className="border-b-2 border-base-content pb-2 text-xl font-semibold">
        Timeline
      </h2>
      {rows.length === 0 && <p className="py-3 text-quiet">Nothing here anymore.</p>}
      <ul>
        {rows.map(({ id, event, text, path, by, at }) => (
          <li
            key={event + id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-base-300 py-3"
          >
            <span className="text-quiet">{event}</span>
            <span className="line-clamp-3 min-w-0 wrap-anywhere">
              {path ? (
                <Link to={path} className="link">
                  {text || "No text"}
                </Link>
              ) : (
                text
              )}
            </span>
            {by && (
              <span className="text-sm text-quiet wrap-anywhere">
                by <bdi>{by}</bdi>
              </span>
            )}
            <time dateTime={at} className="ml-auto text-sm text-quiet">
              {dateTimeLabel(at)}
            </time>
          </li>
        ))}
      </ul>
      <CursorPager path={path} previous={previous} next={next} hash="#timeline" />
    </section>
  );
}
