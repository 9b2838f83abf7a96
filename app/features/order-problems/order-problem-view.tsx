import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import type { OrderSide, ProblemKind, ProblemState } from "#app/db/enums.ts";
import { problemDays } from "#app/terms.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { formErrorsOf } from "#app/ui/error-box.tsx";
import { Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { MissingFormError } from "#app/ui/missing-form-error.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { messageRefusalTexts } from "../messages/message.rules.ts";
import { photoUrl } from "../photos/photo.rules.ts";
import { PhotoPicker } from "../photos/photo-form.tsx";
import { choosePhotosAgainText } from "../photos/photo-refusals.ts";
import {
  isAfterEnd,
  isDecidedByBank,
  isDecision,
  isReturnByRight,
  type ProblemAnswer,
  type ProblemScope,
  problemName,
  problemRefusals,
} from "./order-problem.rules.ts";
import {
  answerFormSchema,
  newProblemFormSchema,
  problemMessageFormSchema,
  problemOfferFormSchema,
} from "./order-problem.schema.ts";
import type { OrderProblem, ProblemCase } from "./order-problem-details.server.ts";
import {
  afterDecisionOfBank,
  afterSettlementText,
  amountText,
  type HandoverOfProblem,
  handoverText,
  moneySplitText,
  otherSide,
  problemDecisionLabel,
  problemOfferChoices,
  problemOfferLabel,
  problemStateLabel,
  problemStatusText,
  problemStepLabel,
  type Settlement,
  settledText,
  settlementLabel,
} from "./order-problem-texts.ts";

type Found = SerializeFrom<OrderProblem>;
type DayLabel = (isoTime: string) => string;
type LastResult = SubmissionResult<string[]> | undefined;

const reportLink = "link inline-flex min-h-11 items-center";

/**
 * The section of the order's page that leads to its problems, or to the form for one.
 *
 * @param isNext whether the order waits for its problem
 */
export function OrderProblemSection({ found, isNext }: { found: Found; isNext: boolean }) {
  const { choices, role, order, refusal, returnedPhoneId } = found;
  const problems = toldProblems(found);
  const [problem] = problems;
  const { dayLabel } = useDateLabels();
  const reason = refusal && order.status === "active" ? problemRefusals[refusal] : null;
  if (!problem && choices.length === 0 && !reason && !returnedPhoneId) return null;
  const { title, button, text } = sectionTexts(found, dayLabel);
  return (
    <section aria-labelledby="order-problem" className="max-w-lg print:hidden">
      <h2 id="order-problem" className="mb-4 text-xl font-semibold">
        {title}
      </h2>
      {problems.map((told) => (
        <div key={told.id}>
          {problems.length > 1 && <h3 className="font-medium">{problemName(told.kind)}</h3>}
          {told.settlement ? (
            <ProblemSettlement settlement={told.settlement} problem={told} role={role} />
          ) : (
            <p className="mb-3 text-pretty">{statusText(told, role, dayLabel)}</p>
          )}
          {told.split && <p className="mb-3 text-pretty">{moneySplitText(told.split, role)}</p>}
        </div>
      ))}
      {(problem || choices.length > 0) && (
        <Link
          to="problem"
          className={problem ? `btn w-full ${isNext ? "btn-primary" : "btn-outline"}` : reportLink}
        >
          {button}
        </Link>
      )}
      {(reason ?? text) && <p className="mt-1.5 text-sm text-quiet">{reason ?? text}</p>}
      {problem && choices.length > 0 && (
        <Link to="problem?another" className={`mt-2 ${reportLink}`}>
          Report another problem
        </Link>
      )}
      {returnedPhoneId && (
        <div className="mt-5">
          <ListAgainLink phoneId={returnedPhoneId} />
        </div>
      )}
    </section>
  );
}

/** Why the viewer cannot message the other side, and what works instead. @param suspended why they can message nobody */
export function SilenceNote({
  found: { role, block, problems, choices },
  suspended,
  canCancel,
}: {
  found: Found;
  suspended: string | null;
  canCancel: boolean;
}) {
  const reason =
    suspended ??
    (block === "blocked by you"
      ? messageRefusalTexts[block]
      : `You can’t message the ${otherSide(role)} right now.`);
  const hasOpen = problems.some(({ endedAt }) => endedAt === null);
  const ways = [
    ...(hasOpen ? ["Write on the problem’s page: there, both of you always can."] : []),
    ...(!hasOpen && choices.length > 0
      ? ["If something’s wrong, report a problem: on its page, both of you can always write."]
      : []),
    ...(canCancel ? ["You can also cancel the order."] : []),
  ];
  return <p className="text-pretty">{[reason, ...ways].join(" ")}</p>;
}

/** The open problems of an order, else the one that ended last. */
function toldProblems({ problems }: Found) {
  const open = problems.filter(({ endedAt }) => endedAt === null);
  return open.length > 0 ? open : problems.slice(0, 1);
}

/** What was agreed on or decided, in the words of who proposed it, and what comes next, unless the order’s header says it. */
function ProblemSettlement({
  settlement,
  problem: { kind, state, scope },
  role,
}: {
  settlement: Settlement;
  problem: { kind: ProblemKind; state: ProblemState; scope: ProblemScope };
  role: OrderSide;
}) {
  const next = state === "solved" && afterSettlementText(settlement, scope, role);
  return (
    <div className="mb-3">
      <p className="font-medium">{settlementLabel(settlement, { kind, scope })}</p>
      {settlement.text && (
        <blockquote
          dir="auto"
          className="my-2 border-l-2 border-base-300 pl-4 wrap-anywhere whitespace-pre-wrap"
        >
          {settlement.text}
        </blockquote>
      )}
      {next && <p className="text-pretty">{next}</p>}
    </div>
  );
}

function sectionTexts(found: Found, dayLabel: DayLabel) {
  const { order, role, isOtherGone, choices, reportUntil } = found;
  const told = toldProblems(found);
  const [problem] = told;
  const decides = isOtherGone ? `${brand.name} decides.` : `If you can’t agree, ${brand.name} decides.`;
  const hasEnded = order.status === "cancelled";
  const missing =
    role === "buyer"
      ? "If you paid and the seller hasn’t paid you back"
      : "If the buyer has the device and hasn’t given it back";
  const report = `${missing}, report it by ${reportUntil && dayLabel(reportUntil)}. ${decides}`;
  if (problem) {
    const isOwn = told.some(({ endedAt, openedBy }) => endedAt === null && openedBy === role);
    const isOne = told.length === 1;
    return {
      title: isOne ? `Problem: ${problemName(problem.kind)}` : "Problems with this order",
      button: isOne ? "View the problem" : "View the problems",
      text: isOwn
        ? isOne
          ? "All good now? Mark it as solved there."
          : "Your own is settled? Mark it as solved there."
        : hasEnded && choices.length > 0
          ? report
          : null,
    };
  }
  if (hasEnded && choices.length === 0) return { title: "Your listing", button: null, text: null };
  if (hasEnded) {
    const title = role === "buyer" ? "No refund?" : "Device not back?";
    return { title, button: "Report a problem", text: report };
  }
  return {
    title: "Something wrong?",
    button: "Report a problem",
    text: isOtherGone
      ? `The ${otherSide(role)} has left: tell us what’s wrong, and we decide.`
      : `Tell the ${otherSide(role)} what’s wrong. ${decides}`,
  };
}

type Stated = Pick<
  Found["problems"][number],
  "kind" | "state" | "openedBy" | "scope" | "deadline" | "isOverdue" | "hasEndedWithOrder"
> & {
  isOtherGone?: boolean;
};

function statusText(problem: Stated, role: OrderSide | "moderator", dayLabel: DayLabel): string {
  return problemStatusText(problem, role, problem.deadline ? dayLabel(problem.deadline) : "");
}

/** The page of an order's problems, for one of its sides. */
export function OrderProblemView({
  found,
  account,
  result,
}: {
  found: Found;
  account: string;
  result: LastResult;
}) {
  const { order, problems, choices, refusal, returnedPhoneId } = found;
  const canOpen = choices.length > 0;
  const hasProblem = problems.length > 0;
  const { search } = useLocation();
  const sent = result?.initialValue;
  const hasForm =
    sent?.intent === "open"
      ? canOpen
      : problems.some(
          ({ id, endedAt, answers }) =>
            id === sent?.problemId && endedAt === null && answers.some((answer) => answer === sent?.answer),
        );
  return (
    <div className={`grid gap-8 ${hasProblem ? "" : "max-w-2xl"}`}>
      {sent && !hasForm && <OutdatedFormError result={result} />}
      <header>
        <h1 className="text-2xl font-semibold sm:text-3xl">
          {problems.length > 1
            ? "Problems with this order"
            : hasProblem
              ? "Problem with this order"
              : "Report a problem"}
        </h1>
        <p className="mt-1 text-quiet wrap-anywhere">{order.productName}</p>
      </header>
      {problems.map((problem, index) => (
        <ShownProblem
          // The key resets the forms after each step.
          key={problem.steps.at(-1)?.id}
          found={found}
          problem={problem}
          isFirst={index === 0}
          account={account}
          result={sent?.problemId === problem.id ? result : undefined}
        />
      ))}
      {returnedPhoneId && hasProblem && <ListAgainLink phoneId={returnedPhoneId} />}
      {canOpen && !hasProblem && <NewProblemForm found={found} account={account} result={result} />}
      {canOpen && hasProblem && (
        <details open={sent?.intent === "open" || search === "?another"} className="max-w-2xl">
          <summary className="btn btn-outline">Report another problem</summary>
          <div className="mt-6">
            <NewProblemForm found={found} account={account} result={result} />
          </div>
        </details>
      )}
      {refusal && (order.status === "active" || !hasProblem) && <p>{problemRefusals[refusal]}</p>}
    </div>
  );
}

/** On a wide screen the viewer's next step is beside what was said, as on the order's page. */
const problemColumns = "grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem]";

/** How a problem stands, what was said, and what the viewer can do. */
function ShownProblem({ found, problem, isFirst, account, result }: AnswerProps & { isFirst: boolean }) {
  const { role, problems } = found;
  const name = problemName(problem.kind);
  const ofSeveral = problems.length > 1 ? `: ${name}` : "";
  return (
    <section aria-label={name} className={`grid gap-8 ${isFirst ? "" : "border-t border-base-300 pt-8"}`}>
      <ProblemStateBox problem={problem} viewer={role} />
      <div className={problemColumns}>
        <div className="grid min-w-0 content-start gap-y-10">
          <section aria-labelledby={`history-${problem.id}`}>
            <h2 id={`history-${problem.id}`} className="mb-3 text-xl font-semibold">
              What both of you said{ofSeveral}
            </h2>
            <ProblemHistory problem={problem} />
          </section>
          {problem.endedAt === null && (
            <MessageForm found={found} problem={problem} account={account} result={result} />
          )}
        </div>
        {problem.endedAt === null && (
          <Answers found={found} problem={problem} account={account} result={result} />
        )}
      </div>
    </section>
  );
}

/** Somebody has answered since the page was shown. */
function OutdatedFormError({ result }: { result: LastResult }) {
  const errors = formErrorsOf({ result }).filter((error) => error !== choosePhotosAgainText);
  return (
    <MissingFormError
      errors={errors.length > 0 ? errors : [problemRefusals.changed]}
      text={result?.initialValue?.text}
    />
  );
}

/** The kind and state of a problem, with the next step. Once it has ended, one sentence says how. */
export function ProblemStateBox({
  problem,
  viewer,
}: {
  problem: Stated & HandoverOfProblem & Pick<Found["problems"][number], "endedAt" | "split">;
  viewer: OrderSide | "moderator";
}) {
  const { dayLabel } = useDateLabels();
  const handover = handoverText(problem, viewer);
  return (
    <section aria-label="State" className="rounded-box bg-base-200 px-4 py-3">
      <p className="font-semibold">
        {problemName(problem.kind)}
        {problem.endedAt === null && `: ${problemStateLabel(problem.state, problem.scope, problem.kind)}`}
      </p>
      <p className="mt-1 text-pretty">{statusText(problem, viewer, dayLabel)}</p>
      {problem.split && <p className="mt-1 text-pretty">{moneySplitText(problem.split, viewer)}</p>}
      {handover && <p className="mt-1 text-pretty wrap-anywhere">{handover}</p>}
    </section>
  );
}

/** What was said, offered and decided, oldest first. */
export function ProblemHistory({
  problem: { steps, photos, kind, scope, state },
  photoList,
}: {
  problem: Pick<SerializeFrom<ProblemCase>, "steps" | "photos" | "kind" | "scope" | "state">;
  /** By default the photos are small. */
  photoList?: ReactNode;
}) {
  const { recentLabel } = useDateLabels();
  return (
    <ol className="grid gap-4">
      {steps.map((step) => (
        <li key={step.id} className="rounded-box border border-base-300 px-4 py-3">
          <p className="font-medium">
            {problemStepLabel(step.kind, step.by, kind)}
            {step.offer && `: ${problemOfferLabel(step.offer, scope)}`}
            {step.kind === "decided" &&
              isDecision(state) &&
              !isDecidedByBank(kind) &&
              `: ${problemDecisionLabel(state, scope)}`}
            {amountText(step.amountCents)}
            {step.kind === "opened" && `: ${problemName(kind)}`}
          </p>
          <p className="text-sm text-quiet wrap-anywhere">
            By <bdi>{step.by}</bdi>, <time dateTime={step.at}>{recentLabel(step.at)}</time>
          </p>
          {step.text && (
            <p dir="auto" className="mt-2 wrap-anywhere whitespace-pre-wrap">
              {step.text}
            </p>
          )}
          {step.kind === "opened" && photos.length > 0 && (photoList ?? <ProblemPhotos photos={photos} />)}
        </li>
      ))}
    </ol>
  );
}

function ProblemPhotos({ photos }: Pick<SerializeFrom<ProblemCase>, "photos">) {
  return (
    <ul aria-label="Photos" className="mt-3 flex flex-wrap gap-2">
      {photos.map(({ id, width, height }, index) => {
        const name = `Photo ${index + 1}`;
        return (
          <li key={id}>
            <a href={photoUrl(id, "gallery")} className="block overflow-hidden rounded-field bg-base-200">
              <img
                src={photoUrl(id, "thumbnail")}
                alt={name}
                width={width}
                height={height}
                className="size-24 object-cover"
              />
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function NewProblemForm({ found, account, result }: { found: Found; account: string; result: LastResult }) {
  const { role, order, choices, isOtherGone } = found;
  const other = otherSide(role);
  const onHold = order.status === "active" ? ", and the order is on hold until it’s settled" : "";
  const answers = isOtherGone
    ? `The ${other} has left, so ${brand.name} decides.`
    : `The ${other} has ${problemDays.answer} days to answer${onHold}.`;
  const [form, fields] = useSchemaForm(newProblemFormSchema, {
    id: "problem",
    defaultValue: choices.length === 1 ? { kind: choices[0]?.value } : undefined,
    lastResult: resultOfForm(result, "open"),
  });
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      preventScrollReset
      {...getFormProps(form)}
      className="grid gap-5"
    >
      <input type="hidden" name="intent" value="open" />
      <input type="hidden" name="account" value={account} />
      <FormErrors form={form} labels={{ kind: "Problem", text: "What happened", photos: "Photos" }} />
      <ChoiceField field={fields.kind} label="What’s wrong?" choices={choices} />
      <TextAreaField
        field={fields.text}
        label="What happened"
        rows={5}
        hint={`Say what’s wrong and what you’d like. ${answers} Up to 2,000 characters.`}
      />
      <PhotoPicker field={fields.photos} />
      <SubmitButton pending={{ intent: "open" }} className="btn-primary justify-self-start">
        Send to {isOtherGone ? brand.name : `the ${other}`}
      </SubmitButton>
    </Form>
  );
}

interface AnswerProps {
  found: Found;
  problem: Found["problems"][number];
  account: string;
  result: LastResult;
}

/** The forms of the answers that the viewer can give now. */
function Answers(props: AnswerProps) {
  const { id, kind } = props.problem;
  const answers = props.problem.answers.filter((answer) => answer !== "write");
  if (answers.length === 0) return null;
  return (
    <section aria-labelledby={`answers-${id}`} className="grid content-start gap-5">
      <h2 id={`answers-${id}`} className="text-xl font-semibold">
        Your next step{props.found.problems.length > 1 && `: ${problemName(kind)}`}
      </h2>
      {answers.map((answer) =>
        answer === "offer" ? (
          <OfferForm key={answer} {...props} />
        ) : (
          <AnswerForm key={answer} answer={answer} {...props} />
        ),
      )}
    </section>
  );
}

/** Both sides can write as long as the problem is open. */
function MessageForm({ found, problem, account, result }: AnswerProps) {
  const other = otherSide(found.role);
  const [form, fields] = useSchemaForm(problemMessageFormSchema, {
    id: `write-${problem.id}`,
    lastResult: result?.initialValue?.answer === "write" ? result : undefined,
  });
  const readers = {
    both: `The ${other} reads it, and our moderators once they’re asked.`,
    moderators: `The ${other} and our moderators read it.`,
    left: "Our moderators read it.",
  };
  const reader = found.isOtherGone
    ? "left"
    : problem.state === "with moderators" || isDecidedByBank(problem.kind)
      ? "moderators"
      : "both";
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-3">
      <HiddenFields answer="write" account={account} problem={problem} />
      <FormErrors form={form} labels={{ text: "Message" }} />
      <TextAreaField
        field={fields.text}
        label="Want to add something?"
        rows={3}
        hint={`${readers[reader]} Up to 2,000 characters.`}
      />
      <SubmitButton pending={{ answer: "write" }} className="btn-outline justify-self-start">
        Send message
      </SubmitButton>
    </Form>
  );
}

function OfferForm({ found, problem, account, result }: AnswerProps) {
  const choices = problemOfferChoices(problem, found.role, found.refundable, found.isDisputed);
  const [form, fields] = useSchemaForm(problemOfferFormSchema, {
    id: `offer-${problem.id}`,
    lastResult: result?.initialValue?.answer === "offer" ? result : undefined,
  });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-5">
      <HiddenFields answer="offer" account={account} problem={problem} />
      <FormErrors form={form} labels={{ offer: "Offer", amount: "Amount", text: "Details" }} />
      <ChoiceField field={fields.offer} label="What do you offer?" choices={choices} />
      {found.refundable !== null && choices.some(({ value }) => value === "part refund") && (
        <Field
          field={fields.amount}
          label="Amount"
          inputMode="decimal"
          hint={`Only for a partial refund: less than ${priceLabel(found.refundable)}.`}
        />
      )}
      <TextAreaField field={fields.text} label="Details" rows={4} hint="Up to 2,000 characters." />
      <SubmitButton pending={{ answer: "offer" }} className="btn-primary justify-self-start">
        Send offer
      </SubmitButton>
    </Form>
  );
}

const answerTexts: Record<
  Exclude<ProblemAnswer, "offer" | "write">,
  { button: string; label: string; hint: string }
> = {
  accept: { button: "Accept the offer", label: "", hint: "" },
  decline: { button: "Decline the offer", label: "Why", hint: "They can make another offer." },
  ask: {
    button: `Ask ${brand.name} to decide`,
    label: `What ${brand.name} should know`,
    hint: "A moderator reads what both of you wrote here, your messages about this order and its steps.",
  },
  close: { button: "Mark as solved", label: "", hint: "" },
};

/** A button, behind a field for words where some may help. */
function AnswerForm({
  answer,
  found,
  problem,
  account,
  result,
}: AnswerProps & { answer: Exclude<ProblemAnswer, "offer" | "write"> }) {
  const { label, hint } = answerTexts[answer];
  const isReturn = answer === "accept" && isReturnByRight(problem.kind);
  const button = isReturn ? "Accept the return" : answerTexts[answer].button;
  const lastResult = result?.initialValue?.answer === answer ? result : undefined;
  const [form, fields] = useSchemaForm(answerFormSchema, { id: `${answer}-${problem.id}`, lastResult });
  const { scope, steps } = problem;
  const { offer = null, amountCents = null } = isReturn
    ? { offer: "return" as const }
    : (answer === "accept" && steps.findLast(({ kind }) => kind === "offered")) || {};
  const left = offer === "refund" ? found.refundable : null;
  const agreedCents = amountCents && left !== null ? Math.min(amountCents, left) : amountCents;
  // With the order, all that is held goes back.
  const backCents = offer === "return" && !isAfterEnd(scope) ? found.refundable : agreedCents;
  const inside = (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-3">
      <HiddenFields answer={answer} account={account} problem={problem} />
      <FormErrors form={form} labels={{ text: label }} />
      {label && <TextAreaField field={fields.text} label={`${label} (optional)`} rows={3} hint={hint} />}
      <SubmitButton
        pending={{ answer }}
        className={`justify-self-start ${answer === "accept" ? "btn-primary" : "btn-outline"}`}
      >
        {button}
      </SubmitButton>
      {!label && (
        <p className="text-sm text-quiet">
          {offer &&
            `${problemOfferLabel(offer, scope)}${amountText(backCents)}${backCents && found.isDisputed ? afterDecisionOfBank(found.role) : ""}. `}
          {settledText(offer, scope, found.role)}
        </p>
      )}
    </Form>
  );
  if (!label) return inside;
  return (
    <details open={lastResult !== undefined}>
      <summary className="link inline-block cursor-pointer py-1">{button}</summary>
      <div className="mt-3">{inside}</div>
    </details>
  );
}

function HiddenFields({
  answer,
  account,
  problem,
}: {
  answer: ProblemAnswer;
  account: string;
  problem: { id: string; lastStepId: string };
}) {
  return (
    <>
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="answer" value={answer} />
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="problemId" value={problem.id} />
      <input type="hidden" name="lastStepId" value={problem.lastStepId} />
    </>
  );
}

function ListAgainLink({ phoneId }: { phoneId: string }) {
  return (
    <div>
      <Link to={`/manage/mysells/${phoneId}/edit`} className="btn btn-primary">
        List it again
      </Link>
      <p className="mt-1.5 text-sm text-quiet">
        Your listing stays hidden until then. Check first that it still matches your device.
      </p>
    </div>
  );
}
