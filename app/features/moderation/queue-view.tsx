import type { SerializeFrom } from "@remix-run/cloudflare";
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import type { WaitingProblem } from "../order-problems/order-problem-details.server.ts";
import { DecisionItem } from "./decisions/decision-history.tsx";
import type { listDecided, QueueRow } from "./moderation-queue.server.ts";
import { DecidedProblemItem, WaitingProblemItem } from "./problem-case-view.tsx";
import { targetKindLabels } from "./reports/content-report.rules.ts";
import { signalText } from "./signals/signal.rules.ts";

const queues = {
  reported: {
    label: "Reported",
    empty: "No open reports",
    text: "Reported listings, sellers, reviews and messages show up here.",
  },
  signals: {
    label: "Signals",
    empty: "No signals",
    text: "Unusual listings and accounts show up here before anybody reports them.",
  },
  held: {
    label: "Held for approval",
    empty: "No listings to approve",
    text: "First listings of new sellers show up here while they’re on hold.",
  },
  appealed: {
    label: "Appeals",
    empty: "No open appeals",
    text: "Appeals against decisions show up here.",
  },
  problems: {
    label: "Order problems",
    empty: "No problems to decide",
    text: "Order problems that the two sides can’t settle show up here.",
  },
  decided: {
    label: "Decided",
    empty: "No decisions yet",
    text: "Every decision by a moderator shows up here.",
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
  /** How many wait in each queue that is counted: "12", "25+". */
  counts: Partial<Record<Queue, string>>;
}

type Decided = SerializeFrom<Awaited<ReturnType<typeof listDecided>>["rows"][number]>;

/** A page of one of the moderators' queues, which say what waits for them, or of what they have decided. */
type QueuePage = Page &
  (
    | { queue: Exclude<Queue, "decided" | "problems" | "signals">; rows: SerializeFrom<QueueRow>[] }
    | { queue: "signals"; rows: SerializeFrom<QueueRow>[]; searchedAt: string | null }
    | { queue: "problems"; rows: SerializeFrom<WaitingProblem>[] }
    | { queue: "decided"; rows: Decided[] }
  );

const pathOf = (queue: Queue) =>
  queue === "reported" ? "/manage/moderation" : `/manage/moderation?show=${queue}`;

export function QueueView(page: QueuePage) {
  return (
    <QueueFrame {...page} isEmpty={page.rows.length === 0}>
      {page.queue === "decided"
        ? page.rows.map((decision) => <DecidedItem key={decision.id} decision={decision} />)
        : page.queue === "problems"
          ? page.rows.map((problem) => <WaitingProblemItem key={problem.id} problem={problem} />)
          : page.rows.map((row) => (
              <QueueItem
                key={`${row.kind} ${row.targetId}`}
                row={row}
                isOfSignals={page.queue === "signals"}
              />
            ))}
    </QueueFrame>
  );
}

function QueueFrame({
  queue,
  previous,
  next,
  isFirstPage,
  counts,
  isEmpty,
  searchedAt,
  children,
}: Page & {
  queue: Queue;
  isEmpty: boolean;
  /** When signals were last looked for, in their queue; null if that failed. */
  searchedAt?: string | null;
  children: ReactNode;
}) {
  const { empty, text } = queues[queue];
  const { dateTimeLabel } = useDateLabels();
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
            {counts[each] ? ` (${counts[each]})` : ""}
          </Link>
        ))}
        <Link to="/manage/content-reports" className="link py-1">
          All reports
        </Link>
      </nav>
      {searchedAt !== undefined && (
        <p className="mb-6 text-sm text-quiet">
          We check new and edited listings every ten minutes, the others in turn.
          {searchedAt && (
            <>
              {" "}
              Last check: <time dateTime={searchedAt}>{dateTimeLabel(searchedAt)}</time>.
            </>
          )}
        </p>
      )}
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

/** A target in a queue, with a link to its case. @param isOfSignals whether its signals are told in sentences */
function QueueItem({
  row: { kind, targetId, name, ownerName, reports, text, since, signals },
  isOfSignals,
}: {
  row: SerializeFrom<QueueRow>;
  isOfSignals: boolean;
}) {
  // The case leads back to this page of the queue.
  const { search } = useLocation();
  const { dayLabel } = useDateLabels();
  const kindLabel = isOfSignals && kind === "seller" ? "Account" : targetKindLabels[kind];
  return (
    <li className="py-4 first:pt-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Link
          to={`/manage/moderation/${kind}/${targetId}${search}`}
          className="link min-w-0 text-lg font-medium wrap-anywhere"
        >
          {name}
        </Link>
        {reports > 0 && (
          <span className="font-medium tabular-nums">
            {reports === 1 ? "1 report" : `${reports} reports`}
          </span>
        )}
      </p>
      <p className="text-sm text-quiet wrap-anywhere">
        {kindLabel}
        {kind !== "seller" && (
          <>
            , {kind === "message" ? "from" : "by"} <bdi>{ownerName}</bdi>
          </>
        )}
        , {isOfSignals ? "found" : "since"} <time dateTime={since}>{dayLabel(since)}</time>
      </p>
      {text && <p className="mt-1 line-clamp-2 wrap-anywhere">{text}</p>}
      {isOfSignals ? (
        <ul className="mt-1">
          {signals.map((signal) => (
            <li key={signal.kind}>{signalText(signal)}</li>
          ))}
        </ul>
      ) : (
        signals.length > 0 && (
          <p className="mt-1 text-sm">
            {signals.length === 1 ? "Signal" : "Signals"}: {signals.map((signal) => signal.kind).join(", ")}
          </p>
        )
      )}
    </li>
  );
}

/** A decision in the list of all, which its moderator can undo for a while. */
function DecidedItem({ decision }: { decision: Decided }) {
  if (decision.problem) return <DecidedProblemItem decision={decision} />;
  return (
    <DecisionItem decision={decision} showsTarget>
      {decision.isDependedOn && (
        <p className="mt-3 text-sm text-quiet">You can’t undo this: a later decision depends on it.</p>
      )}
    </DecisionItem>
  );
}
