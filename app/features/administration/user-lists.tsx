import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Link } from "#app/ui/link.tsx";
import { UndoButton } from "#app/ui/undo-button.tsx";
import { emailOutcomeTexts } from "../audit/email-outcome-texts.ts";
import { StatusBadge } from "../listings/badges.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { decisionLabel, hiddenLabel, suspensionEndText } from "../moderation/decisions/decision.rules.ts";
import { targetLabelForOwner } from "../moderation/reports/content-report.rules.ts";
import { OrderBadge } from "../orders/order-view.tsx";
import { ticketNumber } from "../support-tickets/ticket-table.rules.ts";
import { maxCounted } from "./user-details.rules.ts";
import type { UserDetails } from "./user-details.server.ts";

type Details = SerializeFrom<UserDetails>;

/** The newest of what belongs to a user, and what others did about it. */
export function UserLists({ details, isOwn }: { details: Details; isOwn: boolean }) {
  const { dateTimeLabel, dayLabel } = useDateLabels();
  const {
    user,
    listings,
    bought,
    sold,
    reports,
    contentReportsSent,
    reported,
    reviews,
    sessions,
    actions,
    decisions,
    emails,
    unsent,
  } = details;
  return (
    <div className="mt-10 grid gap-10">
      <TradeLists email={user.email} listings={listings} bought={bought} sold={sold} />
      <RecordList title="Reviews" {...reviews}>
        {({ id, orderId, isAuthor, stars, text, createdAt }) => (
          <Row
            key={id}
            time={createdAt}
            to={`/manage/orders/${orderId}`}
            label={`${isAuthor ? "Gave" : "Received"} ${stars} ${stars === 1 ? "star" : "stars"}`}
          >
            <span className="w-full wrap-anywhere whitespace-pre-wrap">{text}</span>
          </Row>
        )}
      </RecordList>
      <RecordList title="Reports about this user" {...reported}>
        {({ kind, targetId, name, reports: number, open, lastAt }) => (
          <Row key={kind + targetId} time={lastAt} to={`/manage/moderation/${kind}/${targetId}`} label={name}>
            <span className="text-quiet tabular-nums">
              {number === 1 ? "1 report" : `${number} reports`}, {open} open
            </span>
          </Row>
        )}
      </RecordList>
      <RecordList
        title="Content reports sent"
        {...contentReportsSent}
        all={tableOf("/manage/content-reports", { q: user.email })}
      >
        {({ id, kind, targetId, target, reason, decision, createdAt }) => (
          <Row key={id} time={createdAt} to={`/manage/moderation/${kind}/${targetId}`} label={target}>
            <span className="wrap-anywhere">{reason}</span>
            <span className="text-quiet">{decision ? decisionLabel(decision) : "Open"}</span>
          </Row>
        )}
      </RecordList>
      <RecordList title="Reports sent" {...reports} all={tableOf("/manage/reports", { q: user.email })}>
        {({ id, details: text, outcome, createdAt }) => (
          <Row key={id} time={createdAt} to={`/manage/reports/${id}`} label={ticketNumber(id)}>
            <span className="w-full wrap-anywhere whitespace-pre-wrap">{text}</span>
            {outcome && (
              <span className="text-quiet">
                {outcome === "due" ? "Answer waiting" : `Answer ${emailOutcomeTexts[outcome]}`}
              </span>
            )}
          </Row>
        )}
      </RecordList>
      <RecordList title="Notifications" {...emails}>
        {({ id, text, outcome, isDue, createdAt }) => (
          <Row key={id} time={createdAt}>
            <span className="font-medium wrap-anywhere">{text}</span>
            <span className="text-quiet">
              {isDue ? "Email waiting" : outcome && `Email ${emailOutcomeTexts[outcome]}`}
            </span>
          </Row>
        )}
      </RecordList>
      <RecordList title="Emails about the account" {...unsent}>
        {({ kind, outcome, createdAt }) => (
          <Row key={kind} time={createdAt}>
            <span className="font-medium">{`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`}</span>
            <span className="text-quiet">
              {outcome ? `Email ${emailOutcomeTexts[outcome]}` : "Email waiting"}
            </span>
          </Row>
        )}
      </RecordList>
      <RecordList title="Sessions" {...sessions}>
        {({ device, since, lastSeen }) => (
          <Row key={since + device} time={since}>
            <span className="font-medium wrap-anywhere">{device}</span>
            <span className="text-quiet">Last seen {dateTimeLabel(lastSeen)}</span>
          </Row>
        )}
      </RecordList>
      {!isOwn && sessions.count > 0 && (
        <div className="-mt-6">
          <ConfirmPopover
            id="end-sessions"
            label="End all sessions"
            className="btn-outline"
            question={`End all sessions of ${user.name}?`}
            text="They have to log in again on each device. You can’t undo this."
          >
            <UserAction intent="end sessions" className="btn-error">
              End sessions
            </UserAction>
          </ConfirmPopover>
        </div>
      )}
      <RecordList title="Decisions" {...decisions}>
        {({ id, kind, targetKind, targetId, target, reason, until, createdAt, endedAt }) => (
          <Row
            key={id}
            time={createdAt}
            to={`/manage/moderation/${targetKind}/${targetId}`}
            label={`${decisionLabel(kind)}: ${targetLabelForOwner(targetKind, target, "their")}`}
          >
            {kind === "suspend" && <span className="text-quiet">{suspensionEndText(until, dayLabel)}</span>}
            {endedAt && <span className="text-quiet">No longer in effect</span>}
            {reason && <span className="w-full wrap-anywhere whitespace-pre-wrap">{reason}</span>}
          </Row>
        )}
      </RecordList>
      <RecordList title="Staff actions" {...actions}>
        {({ id, action, target, canUndo, isOfAccount, actorEmail, createdAt }) => (
          <Row key={id} time={createdAt}>
            <span className="font-medium wrap-anywhere">{isOfAccount ? action : `${action}: ${target}`}</span>
            {canUndo && <UndoButton id={id} target={target} />}
            <span className="text-quiet">
              by <EmailAddress email={actorEmail} />
            </span>
          </Row>
        )}
      </RecordList>
    </div>
  );
}

const tableOf = (path: string, parameters: Record<string, string>) =>
  `${path}?${new URLSearchParams(parameters)}`;

/** The newest listings and orders of an account. */
export function TradeLists({
  email,
  listings,
  bought,
  sold,
}: { email: string } & Pick<Details, "listings" | "bought" | "sold">) {
  return (
    <>
      <RecordList title="Listings" {...listings} all={tableOf("/manage/listings", { q: email })}>
        {({ id, name, status, priceCents, createdAt, hiddenBy }) => (
          <Row
            key={id}
            time={createdAt}
            to={hiddenBy ? `/manage/moderation/listing/${id}` : `/phones/${id}`}
            label={name}
            price={priceCents}
          >
            <StatusBadge status={status} />
            {hiddenBy && <span className="text-quiet">{hiddenLabel(hiddenBy)}</span>}
          </Row>
        )}
      </RecordList>
      <RecordList
        title="Orders as the buyer"
        {...bought}
        all={tableOf("/manage/orders", { q: email, stage: "all" })}
      >
        {orderRow}
      </RecordList>
      <RecordList
        title="Orders as the seller"
        {...sold}
        all={tableOf("/manage/orders", { stage: "all", seller: email })}
      >
        {orderRow}
      </RecordList>
    </>
  );
}

function orderRow({ id, name, priceCents, createdAt, undoId, ...order }: Details["bought"]["rows"][number]) {
  return (
    <Row key={id} time={createdAt} to={`/manage/orders/${id}`} label={name} price={priceCents}>
      <OrderBadge order={order} />
      {undoId && <UndoButton id={undoId} target={name} />}
    </Row>
  );
}

/** The newest rows of a list with their number, and a link to the table that has all; nothing without any. */
function RecordList<Item>({
  title,
  rows,
  count,
  all,
  children,
}: {
  title: string;
  rows: Item[];
  count: number;
  all?: string;
  children: (row: Item) => ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section>
      <h2 className="border-b-2 border-base-content pb-2 text-xl font-semibold">
        {title}{" "}
        <span className="font-normal text-quiet tabular-nums">
          {count < maxCounted ? count : `${maxCounted}+`}
        </span>
      </h2>
      <ul>{rows.map(children)}</ul>
      {count > rows.length && (
        <p className="py-3">
          {all ? (
            <Link to={all} className="link">
              Show in the table
            </Link>
          ) : (
            <span className="text-quiet">The newest {rows.length} are shown.</span>
          )}
        </p>
      )}
    </section>
  );
}

/** A record with its date. */
function Row({
  time,
  to,
  label,
  price,
  children,
}: {
  time: string;
  to?: string;
  label?: string;
  price?: number;
  children: ReactNode;
}) {
  const { dayLabel } = useDateLabels();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-base-300 py-3">
      {to && (
        <Link to={to} className="link min-w-0 font-medium wrap-anywhere">
          {label}
        </Link>
      )}
      {price !== undefined && <span className="tabular-nums">{priceLabel(price)}</span>}
      {children}
      <time dateTime={time} className="ml-auto text-sm text-quiet">
        {dayLabel(time)}
      </time>
    </li>
  );
}

/** A button of a user's page. */
export function UserAction({
  intent,
  className,
  children,
}: {
  intent: string;
  className: string;
  children: string;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton pending={{ intent }} className={className}>
        {children}
      </SubmitButton>
    </Form>
  );
}
