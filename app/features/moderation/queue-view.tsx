import type { SerializeFrom } from "@remix-run/cloudflare";
import { dayLabel } from "#app/ui/date-label.ts";
import { EmptyPage } from "#app/ui/empty-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import type { QueueRow } from "./moderation-queue.server.ts";

const queues = {
  reported: {
    label: "Reported",
    empty: "Nothing is reported",
    text: "Reports of listings, sellers, reviews and messages appear here.",
  },
  held: {
    label: "Held for approval",
    empty: "Nothing is waiting",
    text: "First listings of new sellers appear here if they are held.",
  },
  answered: {
    label: "Answers",
    empty: "No answers to read",
    text: "Appeals appear here.",
  },
} as const;

type Queue = keyof typeof queues;

const path = "/manage/moderation";
const pathOf = (queue: Queue) => (queue === "reported" ? path : `${path}?show=${queue}`);

/** The moderators' queue. */
export function QueueView({
  queue,
  rows,
  previous,
  next,
  isFirstPage,
}: {
  queue: Queue;
  rows: SerializeFrom<QueueRow>[];
  previous: string | null;
  next: string | null;
  isFirstPage: boolean;
}) {
  const { empty, text } = queues[queue];
  const page = (cursor: string) => `${pathOf(queue)}${queue === "reported" ? "?" : "&"}${cursor}`;
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">Moderation</h1>
      <nav aria-label="Queues" className="mb-6 flex flex-wrap gap-x-6 gap-y-2">
        {(Object.keys(queues) as Queue[]).map((each) => (
          <Link
            key={each}
            to={pathOf(each)}
            aria-current={each === queue ? "page" : undefined}
            className={each === queue ? "py-1 font-semibold" : "link py-1"}
          >
            {queues[each].label}
          </Link>
        ))}
        <Link to="/manage/content-reports" className="link py-1">
          All reports
        </Link>
      </nav>
      {rows.length > 0 ? (
        <ul className="max-w-3xl divide-y divide-base-300">
          {rows.map((row) => (
            <QueueItem key={`${row.kind} ${row.targetId}`} row={row} />
          ))}
        </ul>
      ) : isFirstPage ? (
        <EmptyState icon={<CheckIcon className="size-10" />} title={empty} text={text} />
      ) : (
        <EmptyPage firstPage={pathOf(queue)} />
      )}
      <Pager previous={previous && page(`before=${previous}`)} next={next && page(`after=${next}`)} />
    </>
  );
}

function QueueItem({
  row: { kind, targetId, name, ownerName, reports, text, since },
}: {
  row: SerializeFrom<QueueRow>;
}) {
  return (
    <li className="py-4 first:pt-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Link to={`${path}/${kind}/${targetId}`} className="link min-w-0 text-lg font-medium wrap-anywhere">
          {name}
        </Link>
        {reports > 0 && (
          <span className="font-medium tabular-nums">
            {reports === 1 ? "1 report" : `${reports} reports`}
          </span>
        )}
      </p>
      <p className="text-sm text-quiet wrap-anywhere">
        {kindLabels[kind]}
        {kind !== "seller" && `, ${kind === "message" ? "from" : "by"} ${ownerName}`}, since{" "}
        <time dateTime={since}>{dayLabel(since)}</time>
      </p>
      {text && (
        <p className="mt-1 line-clamp-2 wrap-anywhere">{reports > 0 ? text.replaceAll(",", ", ") : text}</p>
      )}
    </li>
  );
}

const kindLabels = { listing: "Listing", seller: "Seller", review: "Review", message: "Message" };
