import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { Link } from "#app/ui/link.tsx";
import { TicketMessages } from "./ticket-messages.tsx";
import { ticketNumber, ticketStateLabels } from "./ticket-table.rules.ts";
import type { TicketDetails } from "./tickets.server.ts";

/** A support ticket for administrators. @param children the form to answer, shown if there is an address */
export function TicketView({
  ticket,
  errors,
  children,
}: {
  ticket: SerializeFrom<TicketDetails>;
  /** Those whose references the messages name. */
  errors: { reference: string; createdAt: string; method: string; path: string; status: number }[];
  children: ReactNode;
}) {
  const { dateTimeLabel } = useDateLabels();
  const { name, email, state, canBeAnswered } = ticket;
  const intent = state === "closed" ? "reopen" : "close";
  return (
    <>
      <h1 className="text-3xl font-semibold wrap-anywhere">{ticketTitle(ticket)}</h1>
      <p className="badge mt-2 border-transparent bg-neutral font-medium text-neutral-content">
        {ticketStateLabels[state]}
      </p>
      <ActionError />
      <dl className="mt-4 max-w-xl">
        <FactRow term="Number">{ticketNumber(ticket.id)}</FactRow>
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
      </dl>
      {errors.length > 0 && (
        <section aria-labelledby="errors" className="mt-6 max-w-xl">
          <h2 id="errors" className="mb-2 text-xl font-semibold">
            Errors named below
          </h2>
          <ul className="divide-y divide-base-300 border-y border-base-300">
            {errors.map(({ reference, createdAt, method, path, status }) => (
              <li key={reference} className="py-3 wrap-anywhere">
                <code>
                  {status} {method} {path}
                </code>
                <span className="block text-sm text-quiet">
                  <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>, reference {reference}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="mt-6 grid gap-6">
        <TicketMessages ticket={ticket} sender={name || email || "Sender"} />
        {canBeAnswered ? children : <p className="text-quiet">There’s no email address to reply to.</p>}
      </div>
      <Form method="post" preventScrollReset className="mt-6">
        <input type="hidden" name="intent" value={intent} />
        <SubmitButton pending={{ intent }} className="btn-outline">
          {state === "closed" ? "Reopen report" : "Close report"}
        </SubmitButton>
      </Form>
    </>
  );
}

/** The heading and title of a ticket's page. */
export function ticketTitle({ name, email }: { name: string; email: string }): string {
  return `Report from ${name || email || "someone"}`;
}
