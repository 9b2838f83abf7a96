import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, useLocation } from "@remix-run/react";
import type { WorkKind } from "#app/db/enums.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { claimText, totalWork, totalWorkLabel, type WorkCounts, workCountLabel } from "./work.rules.ts";
import type { WorkClaim, WorkItem } from "./work.server.ts";

const pathOf = (kind: WorkKind | null) => (kind ? `/manage/work?kind=${kind}` : "/manage/work");

/** All that waits, what is urgent first, then the oldest. @param only the chosen kind; null for all */
export function WorkView({
  kinds,
  only,
  work: { counts, rows, previous, next, isFirstPage },
}: {
  kinds: { kind: WorkKind; label: string }[];
  only: WorkKind | null;
  work: {
    counts: WorkCounts;
    rows: SerializeFrom<WorkItem>[];
    previous: string | null;
    next: string | null;
    isFirstPage: boolean;
  };
}) {
  const tabs = [
    { kind: null, label: "All", count: totalWork(counts) > 0 && totalWorkLabel(counts) },
    ...kinds.map(({ kind, label }) => {
      const count = counts[kind] ?? 0;
      return { kind, label, count: count > 0 && workCountLabel(count) };
    }),
  ];
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">Work</h1>
      <nav aria-label="Kinds of work" className="mb-6 flex flex-wrap gap-x-6 gap-y-2">
        {tabs.map(({ kind, label, count }) => (
          <Link
            key={label}
            to={pathOf(kind)}
            aria-current={kind === only ? "page" : undefined}
            className={kind === only ? "py-1 font-semibold" : "link py-1"}
          >
            {label} {count && <span className="font-normal text-quiet tabular-nums">{count}</span>}
          </Link>
        ))}
      </nav>
      {rows.length > 0 ? (
        <ul className="divide-y divide-base-300">
          {rows.map((item) => (
            <WorkRow key={item.kindName + item.path} item={item} />
          ))}
        </ul>
      ) : isFirstPage ? (
        <EmptyState
          icon={<CheckIcon className="size-10" />}
          title="Nothing is waiting"
          text={only ? "Check the other tabs." : "Anything that needs a decision or an answer shows up here."}
        />
      ) : (
        <EmptyPage firstPage={pathOf(only)} />
      )}
      <CursorPager path={pathOf(only)} previous={previous} next={next} />
    </>
  );
}

function WorkRow({
  item: { path, kindName, subject, since, age, due, isUrgent, urgency, claim },
}: {
  item: SerializeFrom<WorkItem>;
}) {
  const { dayLabel, dateTimeLabel } = useDateLabels();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4 first:pt-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="line-clamp-2">
          <Link to={path} className="link text-lg font-medium wrap-anywhere">
            {subject}
          </Link>
        </p>
        <p className="text-sm text-quiet">
          {kindName.charAt(0).toUpperCase() + kindName.slice(1)}, waiting for{" "}
          <time dateTime={since} title={dateTimeLabel(since)}>
            {age}
          </time>
        </p>
        {(due || isUrgent) && (
          <p className={isUrgent ? "font-semibold text-error" : undefined}>
            {due ? (
              <>
                {isUrgent ? "Overdue since" : "Decide by"} <time dateTime={due}>{dayLabel(due)}</time>
              </>
            ) : (
              `Urgent: ${urgency?.toLowerCase()}`
            )}
          </p>
        )}
        {claim && <ClaimText claim={claim} />}
      </div>
      <ClaimButton path={path} claim={claim} subject={subject} />
    </li>
  );
}

function ClaimText({ claim }: { claim: WorkClaim }) {
  return <p className="mt-1 wrap-anywhere">{claimText(claim.isOwn ? { ...claim, name: "You" } : claim)}</p>;
}

/** Takes or gives back; nothing while a colleague has it. */
function ClaimButton({ path, claim, subject }: { path: string; claim: WorkClaim | null; subject?: string }) {
  const location = useLocation();
  if (claim && !claim.isOwn) return null;
  const intent = claim ? "give back" : "take";
  return (
    <Form method="post" action="/manage/work" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="path" value={path} />
      <input type="hidden" name="redirectTo" value={location.pathname + location.search} />
      <SubmitButton
        action="/manage/work"
        pending={{ intent, path }}
        className="btn-outline btn-sm"
        description={subject}
      >
        {claim ? "Give back" : "Take"}
      </SubmitButton>
    </Form>
  );
}

/** On the page of a case: who works on it. Nothing if nothing is open there. */
export function CaseClaim({ work }: { work: { path: string; claim: WorkClaim | null } | null }) {
  if (!work) return null;
  const { path, claim } = work;
  return (
    <div className="mb-6 flex max-w-prose flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-box bg-base-200 px-4 py-3">
      <div className="min-w-0">
        {claim ? <ClaimText claim={claim} /> : <p>Nobody’s on this yet.</p>}
        {claim && !claim.isOwn && (
          <p className="text-sm text-quiet">You can still decide. Talk to each other first.</p>
        )}
      </div>
      <ClaimButton path={path} claim={claim} />
    </div>
  );
}
