import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Report } from "./reports.server.ts";

/** A problem report for administrators. */
export function ReportView({ report }: { report: SerializeFrom<Report> }) {
  const { name, email, details, state, createdAt } = report;
  const intent = state === "open" ? "close" : "reopen";
  return (
    <>
      <h1 className="text-3xl font-semibold wrap-anywhere">{reportTitle(report)}</h1>
      {state === "closed" && (
        <p className="badge mt-2 border-transparent bg-neutral font-medium text-neutral-content">Closed</p>
      )}
      <ActionError />
      <dl className="mt-4 max-w-xl">
        {name && <FactRow term="Name">{name}</FactRow>}
        <FactRow term="Email address">
          {email ? (
            <Link
              to={`/manage/users?${new URLSearchParams({ q: email })}`}
              aria-description="Find this user"
              className="link"
            >
              <EmailAddress email={email} />
            </Link>
          ) : (
            "Not given"
          )}
        </FactRow>
        <FactRow term="Sent">
          <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
        </FactRow>
      </dl>
      <p
        dir="auto"
        className="mt-6 max-w-xl rounded-box bg-base-200 px-4 py-3 wrap-anywhere whitespace-pre-wrap"
      >
        {details || <span className="text-quiet">No text</span>}
      </p>
      <Form method="post" preventScrollReset className="mt-6">
        <input type="hidden" name="intent" value={intent} />
        <SubmitButton pending={{ intent }} className={state === "open" ? "btn-primary" : "btn-outline"}>
          {state === "open" ? "Close report" : "Reopen report"}
        </SubmitButton>
      </Form>
    </>
  );
}

/** The heading and title of a report's page. */
export function reportTitle({ name, email }: { name: string; email: string }): string {
  return `Report from ${name || email || "somebody without a name"}`;
}
