import type { SerializeFrom } from "@remix-run/cloudflare";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import type { TimelineEntry } from "./timeline.server.ts";
import { maxLookedUp } from "./user-details.rules.ts";

/** An entry as a sentence: what happened, and to what, which its page is linked by. */
function sentenceOf({
  event,
  text,
}: Pick<TimelineEntry, "event" | "text">): [begin: string, subject: string] {
  switch (event) {
    case "Signed up":
      // Nobody signs up as an administrator.
      return [text === "Admin" ? "Signed up" : `Signed up as a ${text.toLowerCase()}`, ""];
    case "Reported":
      return ["Reported a", text];
    case "Was reported":
      return ["Someone reported a", text];
    case "Support ticket":
      return ["Wrote to us:", text];
    case "Note":
      return ["Note:", text];
    case "Staff":
      return [text.charAt(0).toUpperCase() + text.slice(1), ""];
    default:
      return [event, text];
  }
}

function Entry({ entry: { path, by, at, end, ...entry } }: { entry: SerializeFrom<TimelineEntry> }) {
  const { dateTimeLabel } = useDateLabels();
  const [begin, subject] = sentenceOf(entry);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-base-300 py-3">
      <p className="line-clamp-3 min-w-0 wrap-anywhere">
        {begin}{" "}
        {path ? (
          <Link to={path} className="link">
            {subject || "No text"}
          </Link>
        ) : (
          subject
        )}
        {end && ` ${end}`}
        {by && (
          <span className="text-quiet">
            {" "}
            by <bdi>{by}</bdi>
          </span>
        )}
      </p>
      <time dateTime={at} className="ml-auto text-sm text-quiet">
        {dateTimeLabel(at)}
      </time>
    </li>
  );
}

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
      <p className="pt-3 text-sm text-quiet">
        On listings and orders, notes and staff actions are shown for the newest {maxLookedUp} only.
      </p>
      {rows.length === 0 && <p className="py-3 text-quiet">Nothing here anymore.</p>}
      <ul>
        {rows.map((entry) => (
          <Entry key={entry.event + entry.id} entry={entry} />
        ))}
      </ul>
      <CursorPager path={path} previous={previous} next={next} hash="#timeline" />
    </section>
  );
}
