import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import { EnterButton, SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { formErrorsOf } from "#app/ui/error-box.tsx";
import { ConfirmedValues, Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { MissingFormError } from "#app/ui/missing-form-error.tsx";
import { UndoButton } from "#app/ui/undo-button.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { priceLabel } from "../listings/money.rules.ts";
import type { DecidedProblem } from "../order-problems/decided-problems.server.ts";
import { isAfterEnd, isDecision, problemName, problemScope } from "../order-problems/order-problem.rules.ts";
import { problemDecisionSchema } from "../order-problems/order-problem.schema.ts";
import type { ProblemCase, WaitingProblem } from "../order-problems/order-problem-details.server.ts";
import {
  afterDecisionOfBank,
  decisionChoices,
  problemDecisionLabel,
  problemStateLabel,
} from "../order-problems/order-problem-texts.ts";
import { ProblemHistory, ProblemStateBox } from "../order-problems/order-problem-view.tsx";
import { orderNumber, stepLabel } from "../orders/order-texts.ts";
import { OrderBadge, ParcelLine } from "../orders/order-view.tsx";
import { protectedPaymentText } from "../payments/payment-texts.ts";
import { LargePhotos } from "../photos/large-photos.tsx";
import { CaseSection, QuotedText } from "./case-section.tsx";

export function WaitingProblemItem({
  problem: { id, productName, kind, buyerName, sellerName, deadline, isOverdue },
}: {
  problem: SerializeFrom<WaitingProblem>;
}) {
  const { dayLabel } = useDateLabels();
  return (
    <li className="py-4 first:pt-0">
      <Link to={`/manage/problems/${id}`} className="link text-lg font-medium wrap-anywhere">
        {productName}
      </Link>
      <p className="text-sm text-quiet wrap-anywhere">
        {problemName(kind)}, between <bdi>{buyerName}</bdi> and <bdi>{sellerName}</bdi>
      </p>
      {deadline && (
        <p className={`mt-1 ${isOverdue ? "font-semibold text-error" : ""}`}>
          {isOverdue ? "Overdue since" : "Decide by"} <time dateTime={deadline}>{dayLabel(deadline)}</time>
        </p>
      )}
    </li>
  );
}

/** A decision about a problem in the list of all. Until it takes effect, its moderator can undo it for a while. */
export function DecidedProblemItem({
  decision: { id, problem, decision, amountCents, reason, moderator, createdAt, takesEffectAt, canUndo },
}: {
  decision: SerializeFrom<DecidedProblem>;
}) {
  const { dateTimeLabel } = useDateLabels();
  const scope = problemScope(problem.kind, problem.stage);
  const { state } = problem;
  const decided = decision ?? (isDecision(state) ? state : null);
  const label = decided
    ? problemDecisionLabel(decided, scope)
    : problemStateLabel(state, scope, problem.kind);
  return (
    <li className="py-4 first:pt-0">
      <p className="font-medium wrap-anywhere">
        {problemName(problem.kind)}: {label}
        {amountCents !== null && `, and ${priceLabel(amountCents)} is paid back`}
        {takesEffectAt && (
          <span className="font-normal text-quiet">
            {" "}
            {problem.state === "with moderators" ? (
              <>
                (takes effect after <time dateTime={takesEffectAt}>{dateTimeLabel(takesEffectAt)}</time>)
              </>
            ) : (
              "(doesn’t count: the problem ended before)"
            )}
          </span>
        )}
      </p>
      <p className="wrap-anywhere">
        <Link to={`/manage/problems/${problem.id}`} className="link">
          {problem.productName}
        </Link>
      </p>
      <QuotedText text={reason} />
      <p className="mt-1 text-sm text-quiet wrap-anywhere">
        <bdi>{moderator ?? "A former moderator"}</bdi>,{" "}
        <time dateTime={createdAt}>{dateTimeLabel(createdAt)}</time>
      </p>
      {canUndo && (
        <div className="mt-3">
          <UndoButton id={id} target={problem.productName} />
        </div>
      )}
    </li>
  );
}

/** What a moderator needs to decide about a problem: what both sides wrote, the order's steps and its messages. */
export function ProblemCaseView({
  found,
  viewerId,
  account,
  asked,
  result,
  insertReply,
}: {
  found: SerializeFrom<ProblemCase>;
  viewerId: string;
  account: string;
  /** What the moderator is asked to confirm. */
  asked: string[] | undefined;
  result: SubmissionResult<string[]> | undefined;
  /** Offers texts for the field with this id. */
  insertReply: (textId: string) => ReactNode;
}) {
  const { dateTimeLabel } = useDateLabels();
  const { order, others, history, messages, state, pending } = found;
  const isUndecided = state === "with moderators";
  const isOpen = isUndecided && !pending;
  const refused = formErrorsOf({ result });
  return (
    <>
      <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{order.productName}</h1>
      <CaseFacts found={found} />
      {/* A colleague has decided, so there is no form to show it. */}
      {!isOpen && refused.length > 0 && (
        <div className="mt-6">
          <MissingFormError errors={refused} text={result?.initialValue?.reason} />
        </div>
      )}
      <div className="mt-6 grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 content-start gap-10">
          {(isOpen || !isUndecided) && <ProblemStateBox problem={found} viewer="moderator" />}
          <CaseSection id="said" title="What both sides said">
            <ProblemHistory problem={found} photoList={<LargePhotos photos={found.photos} />} />
          </CaseSection>
          {others.map((other) => (
            <CaseSection
              key={other.id}
              id={`problem-${other.id}`}
              title={`${problemName(other.kind)}: ${problemStateLabel(other.state, other.scope, other.kind)}`}
            >
              <ProblemHistory problem={other} photoList={<LargePhotos photos={other.photos} />} />
            </CaseSection>
          ))}
        </div>
        <div className="min-w-0 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          {isUndecided && pending && (
            <PendingDecision
              pending={pending}
              label={problemDecisionLabel(pending.decision, found.scope)}
              isOwn={pending.actorId === viewerId}
            />
          )}
          {!isUndecided && (pending || found.droppedAt) && (
            <p className="mb-6 rounded-box bg-base-200 px-4 py-3">
              <strong className="font-semibold">
                {pending ? `${pending.by} had decided this.` : "A decision was dropped."}
              </strong>{" "}
              The problem ended before the decision took effect, so it doesn’t count. Neither side was told.
            </p>
          )}
          {isOpen && found.droppedAt && (
            <p className="mb-6 rounded-box bg-base-200 px-4 py-3">
              <strong className="font-semibold">
                A decision was dropped on{" "}
                <time dateTime={found.droppedAt}>{dateTimeLabel(found.droppedAt)}</time>.
              </strong>{" "}
              The order or the problem changed before it took effect, or its moderator couldn’t decide
              anymore. Neither side was told. Decide again.
            </p>
          )}
          {isOpen && (
            <DecisionForm
              found={found}
              account={account}
              asked={asked}
              result={result}
              insertReply={insertReply}
            />
          )}
        </div>
        <div className="grid min-w-0 content-start gap-10">
          <CaseSection id="steps" title="Steps of the order">
            <ul className="space-y-1">
              {history.map(({ id, kind, by, isBySystem, at }) => (
                <li key={id} className="wrap-anywhere">
                  {stepLabel(kind, found.parcel !== null, isBySystem)}, by <bdi>{by}</bdi>,{" "}
                  <time dateTime={at}>{dateTimeLabel(at)}</time>
                </li>
              ))}
            </ul>
          </CaseSection>
          <CaseSection id="messages" title="Messages about this order">
            {messages.length === 0 ? (
              <p className="text-quiet">None.</p>
            ) : (
              <ol className="grid gap-4">
                {messages.map(({ id, by, at, text }) => (
                  <li key={id} className="rounded-box bg-base-200 px-4 py-3">
                    <p className="text-sm text-quiet wrap-anywhere">
                      <bdi>{by}</bdi>, <time dateTime={at}>{dateTimeLabel(at)}</time>
                    </p>
                    <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap">
                      {text}
                    </p>
                  </li>
                ))}
              </ol>
            )}
          </CaseSection>
        </div>
      </div>
    </>
  );
}

/** The order, its listing, both people and the money. */
function CaseFacts({
  found: { order, people, hasOrderPage, payment, parcel },
}: {
  found: SerializeFrom<ProblemCase>;
}) {
  const labels = useDateLabels();
  const number = orderNumber(order.id);
  const facts: [term: string, value: ReactNode][] = [
    [
      "Order",
      hasOrderPage ? (
        <Link to={`/manage/orders/${order.id}`} className="link">
          {number}
        </Link>
      ) : (
        number
      ),
    ],
    ["Booked", <time dateTime={order.createdAt}>{labels.dayLabel(order.createdAt)}</time>],
    ["State", <OrderBadge order={order} />],
    [
      "Listing",
      <Link to={`/manage/moderation/listing/${order.phoneId}`} className="link">
        {`${order.productName}, ${order.ram} ${order.rom}`}
      </Link>,
    ],
    ["Buyer", <Person {...people.buyer} />],
    ["Seller", <Person {...people.seller} />],
    ...(parcel ? [["Delivery", <ParcelLine parcel={parcel} />] satisfies [string, ReactNode]] : []),
    ["Price", priceLabel(order.priceCents)],
    [
      "Money",
      payment
        ? protectedPaymentText("administrator", payment, { ...labels, timeLabel: labels.dateTimeLabel })
        : `Paid directly: ${brand.name} doesn’t hold it.`,
    ],
  ];
  return (
    <dl className="mt-3 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
      {facts.map(([term, value]) => (
        <div key={term} className="contents max-sm:block">
          <dt className="text-quiet max-sm:inline">
            {term}
            <span className="sm:hidden">: </span>
          </dt>
          <dd className="wrap-anywhere max-sm:inline">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Person({ id, name }: { id: string; name: string }) {
  return (
    <Link to={`/manage/moderation/seller/${id}`} className="link">
      <bdi>{name}</bdi>
    </Link>
  );
}

/** A decision that can still be undone. */
function PendingDecision({
  pending: { id, by, amountCents, reason, takesEffectAt, isUndoable },
  label,
  isOwn,
}: {
  pending: NonNullable<SerializeFrom<ProblemCase>["pending"]>;
  label: string | undefined;
  isOwn: boolean;
}) {
  const { dateTimeLabel } = useDateLabels();
  return (
    <CaseSection id="pending" title={isOwn ? "Your decision" : "Decided"}>
      <p className="font-medium">
        {label}
        {amountCents !== null && `, and ${priceLabel(amountCents)} is paid back`}
      </p>
      <QuotedText text={reason} />
      <p className="mt-3 text-quiet wrap-anywhere">
        {!isOwn && (
          <>
            By <bdi>{by}</bdi>.{" "}
          </>
        )}
        {isUndoable ? (
          <>
            It takes effect after <time dateTime={takesEffectAt}>{dateTimeLabel(takesEffectAt)}</time>.
          </>
        ) : (
          "It takes effect in a few minutes."
        )}{" "}
        Until then, nothing changes and neither side knows.
      </p>
      {isOwn && isUndoable && (
        <div className="mt-3">
          <UndoButton id={id} target="Your decision" />
        </div>
      )}
    </CaseSection>
  );
}

function DecisionForm({
  found: { scope, lastStepId, refundable, payment },
  account,
  asked,
  result,
  insertReply,
}: Omit<Parameters<typeof ProblemCaseView>[0], "viewerId">) {
  const [form, fields] = useSchemaForm(problemDecisionSchema, { id: "decision", lastResult: result });
  return (
    <section aria-label="Decide">
      <Form method="post" {...getFormProps(form)} autoComplete="off" className="grid gap-5">
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="lastStepId" value={lastStepId} />
        <EnterButton />
        <ConfirmedValues asked={asked} />
        <FormErrors form={form} labels={{ decision: "Decision", amount: "Amount", reason: "Reason" }} />
        <ChoiceField field={fields.decision} label="Decision" choices={decisionChoices(scope)} />
        {refundable !== null && refundable > 0 && !isAfterEnd(scope) && (
          <Field
            field={fields.amount}
            label="Amount to pay back"
            inputMode="decimal"
            hint={`Only if the order continues. Up to ${priceLabel(refundable)}${payment?.state === "disputed" ? afterDecisionOfBank("moderator") : ""}.`}
          />
        )}
        {insertReply(fields.reason.id)}
        <TextAreaField field={fields.reason} label="Reason" rows={5} hint="Both sides read it." />
        <div className="flex flex-wrap gap-3">
          <SubmitButton pending={{ intent: "" }} className="btn-primary">
            Save decision
          </SubmitButton>
          <SubmitButton intent="next" className="btn-outline">
            Save and open the next case
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
