import type { SerializeFrom } from "@remix-run/cloudflare";
import type { EmailOutcome } from "#app/db/enums.ts";
import { countLabel } from "#app/market.ts";
import { BarChart } from "#app/ui/bar-chart.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { emailOutcomeTexts } from "../audit/email-outcome-texts.ts";
import { alarmLimits } from "../notifications/alarm-text.ts";
import { maxEmailsCounted } from "../notifications/notification-texts.ts";
import { maxDueCounted } from "./job-runs.rules.ts";
import type { countDueForJobs } from "./job-runs.server.ts";
import type { ErrorSummary } from "./recorded-errors.server.ts";

interface SystemRow {
  name: string;
  isReady: boolean;
  state: string;
  /** What users notice if it is not ready. */
  meaning: string;
  document: string;
}

/** Kinds of errors that are listed. */
const shownKinds = 30;

type Waiting = Awaited<ReturnType<typeof countDueForJobs>>;

type TimeLabel = (isoTime: string) => string;

interface System {
  checks: SystemRow[];
  lastRun: { finishedAt: string; failedJobs: string[]; isLate: boolean } | null;
  emails: {
    outcomes: { outcome: EmailOutcome; number: number }[];
    newestOf: number | null;
    hasTooLate: boolean;
    waiting: number;
    isLate: boolean;
  };
  /** What waits for the jobs, without emails. */
  waiting: Waiting;
  errors: SerializeFrom<ErrorSummary>;
  /** How many run. */
  imports: number;
  /** Undefined if there is no storage for backups. */
  backup?: {
    last: { name: string; bytes: number; isLate: boolean } | null;
    /** When restoring one was tried. */
    triedAt: string | null;
  };
  /** `bytes` is its size. */
  database: { isLibsql: boolean; hasReplica: boolean; bytes: number };
  version: string;
}

/** What is set up, what is not, and the last run of the scheduled jobs, for administrators. */
export function SystemView({
  checks,
  lastRun,
  emails,
  waiting,
  imports,
  errors,
  backup,
  database,
  version,
}: System) {
  const { dateTimeLabel } = useDateLabels();
  const always = { isReady: true, meaning: "" };
  const rows: SystemRow[] = [
    ...checks,
    describeJobs(lastRun, dateTimeLabel),
    describeEmails(emails),
    describeWaiting(waiting),
    describeErrors(errors),
    {
      ...always,
      name: "Imports",
      state: imports === 0 ? "None running." : `${imports} running.`,
      document: "docs/imports.md",
    },
    ...(backup
      ? [
          describeBackup(backup.last),
          {
            ...always,
            name: "Backup tried",
            state: backup.triedAt
              ? `The newest one could be restored on ${dateTimeLabel(backup.triedAt)}.`
              : "Not yet. The command npm run backup:test tries the newest one.",
            document: "docs/maintenance.md#backup",
          },
        ]
      : []),
    {
      ...always,
      name: "Passkeys",
      state: "People can log in with passkeys. There’s nothing to set up.",
      document: "docs/security.md",
    },
    {
      ...always,
      name: "Database",
      state: describeDatabase(database),
      document: "docs/deployment.md#replicas",
    },
    { ...always, name: "Version", state: version, document: "CHANGELOG.md" },
  ];
  const missing = rows.filter(({ isReady }) => !isReady).length;
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">System</h1>
      <p className="mb-6 max-w-prose text-quiet">
        {missing === 0 ? "Everything is set up." : `${missing} of ${rows.length} need a look.`} To change
        settings, deploy again.
      </p>
      <dl className="max-w-3xl">
        {rows
          .toSorted((one, other) => Number(one.isReady) - Number(other.isReady))
          .map((row) => (
            <Row key={row.name} {...row} />
          ))}
      </dl>
      <Errors errors={errors} />
    </>
  );
}

function Row({ name, isReady, state, meaning, document }: SystemRow) {
  return (
    <div className="grid gap-x-8 gap-y-1 border-t border-base-300 py-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="font-semibold">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">
        <p>
          <span className={isReady ? "text-quiet" : "font-semibold"}>{isReady ? "OK" : "Needs a look"}:</span>{" "}
          {state}
        </p>
        {!isReady && <p className="mt-1">{meaning}</p>}
        <p className="mt-1 text-sm text-quiet">
          Read <code>{document}</code>
        </p>
      </dd>
    </div>
  );
}

function describeJobs(lastRun: System["lastRun"], timeLabel: TimeLabel): SystemRow {
  return {
    name: "Scheduled jobs",
    isReady: lastRun !== null && !lastRun.isLate && lastRun.failedJobs.length === 0,
    state: lastRun ? describeRun(lastRun, timeLabel) : "They haven’t run yet.",
    meaning:
      lastRun && !lastRun.isLate
        ? "The next run tries again. The errors are in the log."
        : "They should run every 10 minutes. Until they do, alerts, numbers and some emails wait.",
    document: "docs/maintenance.md#scheduled-jobs",
  };
}

function describeRun(
  { finishedAt, failedJobs }: NonNullable<System["lastRun"]>,
  timeLabel: TimeLabel,
): string {
  const result = failedJobs.length > 0 ? `Failed: ${failedJobs.join(", ")}.` : "Nothing failed.";
  return `Last run on ${timeLabel(finishedAt)}. ${result}`;
}

function describeEmails({ outcomes, newestOf, hasTooLate, waiting, isLate }: System["emails"]): SystemRow {
  const parts = outcomes.map(({ outcome, number }) => `${number} ${emailOutcomeTexts[outcome]}.`);
  if (newestOf !== null) parts.unshift(`Of the newest ${newestOf}:`);
  if (hasTooLate && !outcomes.some(({ outcome }) => outcome === "too late"))
    parts.push("Some couldn’t be sent.");
  const waitingText = waiting >= maxEmailsCounted ? `${maxEmailsCounted} or more` : String(waiting);
  return {
    name: "Emails of the last day",
    isReady: !isLate && !hasTooLate,
    state: [...parts, waiting === 0 ? "None waiting." : `${waitingText} waiting in all.`].join(" "),
    meaning: "Emails wait while they can’t be sent, for a day. The log says why they fail.",
    document: "docs/maintenance.md#emails",
  };
}

/** What each is called: one, and many. */
const waitingNames: Record<keyof Waiting, [string, string]> = {
  payments: ["payment step", "payment steps"],
  events: ["event of the payment provider", "events of the payment provider"],
  listings: ["listing to match with saved searches", "listings to match with saved searches"],
};

function describeWaiting(waiting: Waiting): SystemRow {
  const parts = Object.entries(waitingNames).map(([kind, [one, many]]) => {
    const count = waiting[kind as keyof Waiting];
    return (
      count > 0 &&
      `${countLabel(count)}${count >= maxDueCounted ? " or more" : ""} ${count === 1 ? one : many}`
    );
  });
  const shown = parts.filter(Boolean).join(", ");
  return {
    name: "Waiting for the jobs",
    isReady: true,
    state: shown ? `${shown}.` : "No payment steps, events or listings.",
    meaning: "",
    document: "docs/maintenance.md#scheduled-jobs",
  };
}

function describeErrors({ lastHour, lastDay, isMore }: SerializeFrom<ErrorSummary>): SystemRow {
  return {
    name: "Errors",
    isReady: lastHour < alarmLimits.errors,
    state:
      lastDay === 0
        ? "None in the last day."
        : `${countLabel(lastHour)} in the last hour, ${countLabel(lastDay)} in the last day${isMore ? ", or more" : ""}.`,
    meaning: "People see an error page. Look below which pages fail, and in the log why.",
    document: "docs/operations.md#our-errors",
  };
}

/** What failed in the last day, by page. */
function Errors({ errors: { kinds, hours } }: { errors: SerializeFrom<ErrorSummary> }) {
  const { dateTimeLabel } = useDateLabels();
  if (kinds.length === 0) return null;
  return (
    <section aria-labelledby="errors" className="mt-10 max-w-3xl">
      <h2 id="errors" className="mb-2 text-xl font-semibold">
        Errors of the last day
      </h2>
      <p className="text-quiet">
        The log has each by its reference. Errors while the database doesn’t answer are only there.
      </p>
      <BarChart
        title="Errors by hour"
        description={hours.map((errors, index) => `hour ${index + 1} of 24: ${errors}`).join(", ")}
        bars={hours.map((value, index) => ({
          key: String(index),
          value,
          tick: index === 0 ? "24 hours ago" : index === 23 ? "Now" : undefined,
        }))}
        valueLabel={countLabel}
      />
      <ul className="mt-4 divide-y divide-base-300 border-y border-base-300">
        {kinds.slice(0, shownKinds).map(({ kind, lastHour, lastDay, reference, at }) => (
          <li key={kind} className="grid gap-x-8 gap-y-1 py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
            <code className="wrap-anywhere">{kind}</code>
            <span className="tabular-nums">
              {countLabel(lastHour)} in the last hour, {countLabel(lastDay)} in the last day
            </span>
            <span className="text-sm text-quiet wrap-anywhere sm:col-span-2">
              Newest: <time dateTime={at}>{dateTimeLabel(at)}</time>, reference <code>{reference}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeBackup(last: NonNullable<System["backup"]>["last"]): SystemRow {
  return {
    name: "Last backup",
    isReady: last !== null && !last.isLate,
    state: last ? `${last.name}, ${megabytes(last.bytes)}.` : "There’s none yet.",
    meaning: "The scheduled jobs make one each day. If they run without making one, the log says why.",
    document: "docs/maintenance.md#backup",
  };
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

function describeDatabase({ isLibsql, hasReplica, bytes }: System["database"]): string {
  const size = megabytes(bytes);
  if (!isLibsql) return `D1, ${size}. Cloudflare’s dashboard shows whether read replication is on.`;
  return `A libSQL server, ${size}, ${hasReplica ? "and a replica to read from" : "without a replica"}.`;
}
