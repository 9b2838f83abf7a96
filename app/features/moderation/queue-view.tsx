import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { EmptyPage } from "#app/ui/empty-page.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { DecidedItem } from "./decisions/decided-item.tsx";
import type { listDecided } from "./decisions/decided-list.server.ts";
import type { QueueRow } from "./moderation-queue.server.ts";
import { QueueItem } from "./queue-item.tsx";

const queues = {
  reported: {
    label: "Reported",
    empty: "No open reports",
    text: "Reports of listings, sellers, reviews and messages appear here.",
  },
  signals: {
    label: "Signals",
    empty: "No signals",
    text: "Listings and accounts that look unusual and that nobody has reported appear here.",
  },
  held: {
    label: "Held for approval",
    empty: "No listings to approve",
    text: "First listings of new sellers appear here if they are held.",
  },
  appealed: {
    label: "Appeals",
    empty: "No open appeals",
    text: "Appeals appear here.",
  },
  decided: {
    label: "Decided",
    empty: "No decisions yet",
    text: "What moderators have decided appears here.",
  },
} as const;

export type Queue = keyof typeof queues;

export function isQueue(name: string | null): name is Queue {
  return name !== null && Object.hasOwn(queues, name);
}

interface Page {
  previous: string | null;
  next: string | null;
  isFirstPage: boolean;
}

type Decided = SerializeFrom<Awaited<ReturnType<typeof listDecided>>["rows"][number]>;

/** A page of one of the moderators' queues, which say what waits for them, or of what they have decided. */
export type QueuePage = Page &
  (
    | { queue: Exclude<Queue, "decided">; rows: SerializeFrom<QueueRow>[] }
    | { queue: "decided"; rows: Decided[] }
  );

const pathOf = (queue: Queue) =>
  queue === "reported" ? "/manage/moderation" : `/manage/moderation?show=${queue}`;

export function QueueView(page: QueuePage) {
  return (
    <QueueFrame {...page} isEmpty={page.rows.length === 0}>
      {page.queue === "decided"
        ? page.rows.map((decision) => <DecidedItem key={decision.id} decision={decision} />)
        : page.rows.map((row) => (
            <QueueItem key={`${row.kind} ${row.targetId}`} row={row} isOfSignals={page.queue === "signals"} />
          ))}
    </QueueFrame>
  );
}

function QueueFrame({
  queue,
  previous,
  next,
  isFirstPage,
  isEmpty,
  children,
}: Page & { queue: Queue; isEmpty: boolean; children: ReactNode }) {
  const { empty, text } = queues[queue];
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
      {!isEmpty ? (
        <ul className="max-w-3xl divide-y divide-base-300">{children}</ul>
      ) : isFirstPage ? (
        <EmptyState icon={<CheckIcon className="size-10" />} title={empty} text={text} />
      ) : (
        <EmptyPage firstPage={pathOf(queue)} />
      )}
      <CursorPager path={pathOf(queue)} previous={previous} next={next} />
    </>
  );
}
