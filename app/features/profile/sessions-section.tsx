import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { Section } from "#app/ui/section.tsx";
import type { OpenSession } from "../accounts/sessions.server.ts";

/** The others are in a `<details>`. */
const visibleSessions = 5;

export function SessionsSection({
  sessions,
  count,
}: {
  sessions: SerializeFrom<OpenSession>[];
  count: number;
}) {
  const more = sessions.slice(visibleSessions);
  const unlisted = count - sessions.length;
  return (
    <Section
      title="Sessions"
      intro="Devices where you are logged in. If you do not recognize one, log it out and change your password."
    >
      <SessionList sessions={sessions.slice(0, visibleSessions)} />
      {more.length > 0 && (
        <details className="group border-t border-base-300">
          <summary className="flex items-center gap-2 rounded-field py-3 font-medium">
            <ChevronDownIcon className="size-4 group-open:rotate-180" />
            {more.length} more
          </summary>
          <SessionList sessions={more} />
          {unlisted > 0 && (
            <p className="py-3 text-sm text-quiet">And {unlisted} more that were last used earlier.</p>
          )}
        </details>
      )}
      {count > 1 && (
        <Form method="post" preventScrollReset className="mt-5">
          <input type="hidden" name="intent" value="log out others" />
          <SubmitButton pending={{ intent: "log out others" }} className="btn-outline">
            Log out all others
          </SubmitButton>
        </Form>
      )}
    </Section>
  );
}

function SessionList({ sessions }: { sessions: SerializeFrom<OpenSession>[] }) {
  return (
    <ul className="divide-y divide-base-300">
      {sessions.map((session) => (
        <li key={session.idHash} className="flex items-center justify-between gap-4 py-3 first:pt-0">
          <SessionFacts {...session} />
          <Form method="post" preventScrollReset className="shrink-0">
            <input type="hidden" name="intent" value="log out" />
            <input type="hidden" name="session" value={session.idHash} />
            <SubmitButton
              pending={{ intent: "log out", session: session.idHash }}
              description={session.device}
              className="btn-outline btn-sm"
            >
              Log out
            </SubmitButton>
          </Form>
        </li>
      ))}
    </ul>
  );
}

function SessionFacts({ device, since, lastSeen, isCurrent }: SerializeFrom<OpenSession>) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">{device}</span>
        {isCurrent && (
          <span className="badge badge-sm border-transparent bg-neutral font-medium text-neutral-content">
            This device
          </span>
        )}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span>
          Since <time dateTime={since}>{dateTimeLabel(since)}</time>
        </span>
        <span>
          Last seen <time dateTime={lastSeen}>{dateTimeLabel(lastSeen)}</time>
        </span>
      </p>
    </div>
  );
}
