import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requirePermission } from "#app/auth/guard.server.ts";
import { NotesSection } from "#app/features/administration/notes-section.tsx";
import { InsertReply } from "#app/features/administration/saved-replies-view.tsx";
import { insertButton } from "#app/features/administration/saved-reply.schema.ts";
import { CaseClaim } from "#app/features/administration/work-view.tsx";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { ProblemCaseView } from "#app/features/moderation/problem-case-view.tsx";
import { isAmountRefusal, problemRefusals } from "#app/features/order-problems/order-problem.rules.ts";
import { problemDecisionSchema } from "#app/features/order-problems/order-problem.schema.ts";
import type { ProblemCase } from "#app/features/order-problems/order-problem-details.server.ts";
import { moneySplitText } from "#app/features/order-problems/order-problem-texts.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { undoMinutes } from "#app/terms.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { confirmedIn } from "../message-question.server.ts";
import { insertReply, replyTitles } from "./insert-reply.server.ts";
import { notesFor, writeNote } from "./write-note.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Order problem: ${data.found.order.productName}` : "Order problem");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

const orderProblemDetails = () => import("#app/features/order-problems/order-problem-details.server.ts");

export const handle = { access: "moderate" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { problemId = "" } = params;
  const { findProblemCase } = await orderProblemDetails();
  const { findClaim } = await import("#app/features/administration/work.server.ts");
  const [found, work, replies] = await Promise.all([
    findProblemCase(context.db, viewer, problemId),
    findClaim(context.db, viewer, `/manage/problems/${problemId}`),
    replyTitles(context),
  ]);
  if (!found) throw notFound();
  const notes = await notesFor(context, viewer, notesOn(found));
  return { found, work, replies, notes, viewerId: viewer.id, account: viewer.email };
});

/** The notes of its order, which the order's page shows too. */
const notesOn = ({ order }: Pick<ProblemCase, "order">) => ({ kind: "order", id: order.id }) as const;

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { problemId = "" } = params;
  const form = await readForm(request);
  const posted = { context, request, viewer, form };
  if (form.get("intent") === "note") {
    const { findProblemCase } = await orderProblemDetails();
    const found = await findProblemCase(context.db, viewer, problemId);
    return writeNote(posted, found && notesOn(found));
  }
  if (form.has(insertButton)) {
    const { findProblemCase } = await orderProblemDetails();
    const found = await findProblemCase(context.db, viewer, problemId);
    if (!found) throw notFound();
    const { buyer, seller } = found.people;
    const values = { name: `${buyer.name} and ${seller.name}`, device: found.order.productName };
    return insertReply(context, form, { schema: problemDecisionSchema, field: "reason", values });
  }
  const submission = parseForm(form, problemDecisionSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "decide problem");
  if (refusal) return invalidForm(submission, refusal);
  const { findDecidable, findPendingDecision, submitDecision } = await import(
    "#app/features/order-problems/pending-decisions.server.ts"
  );
  const { decision, amount } = submission.value;
  const decidable = await findDecidable(context.db, viewer, problemId, submission.value);
  const asked = [decision, amount, decidable?.stage].filter(Boolean).join(" ");
  const choice = decidable?.choices.find(({ value }) => value === decision);
  if (choice && !confirmedIn(form).includes(asked)) {
    const paidBack = amount === undefined ? "" : ` and pay back ${priceLabel(amount)}`;
    // Both sides act on it.
    const money = decidable?.split ? ` ${moneySplitText(decidable.split, "moderator")}` : "";
    const question = `${paidBack ? choice.label.replace(" and ", ", ") : choice.label}${paidBack}?${money} Nothing happens for ${undoMinutes} minutes, and you can undo it until then. After that we tell both sides, and it’s final. Save it again to confirm.`;
    return invalidForm(submission, { formErrors: [question], asked: [asked] });
  }
  const outcome = await submitDecision(context.db, viewer, problemId, submission.value);
  if (outcome === "not found") throw notFound();
  if (outcome !== "done") {
    const errors = [problemRefusals[outcome]];
    return invalidForm(
      submission,
      isAmountRefusal(outcome) ? { fieldErrors: { amount: errors } } : { status: 409, formErrors: errors },
    );
  }
  const pending = await findPendingDecision(context.db, problemId);
  const isNext = form.get("intent") === "next";
  const { nextCase } = await import("#app/features/administration/work.server.ts");
  const to = isNext
    ? await nextCase(context.db, viewer, "/manage/problems/", "order-problems")
    : pathAndQuery(request);
  return redirectWithToast(context, to, {
    kind: "success",
    message: pending ? `Decided. We’ll tell both sides in ${undoMinutes} minutes.` : "Decided",
    undo: pending?.id,
  });
});

export { unlessInserted as shouldRevalidate } from "#app/features/administration/saved-replies-view.tsx";

export default function ProblemCasePage() {
  const { found, work, replies, notes, viewerId, account } = useLoaderData<typeof loader>();
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  return (
    <>
      <BackLink to="/manage/moderation?show=problems">Order problems</BackLink>
      <CaseClaim work={work} />
      <ProblemCaseView
        found={found}
        viewerId={viewerId}
        account={account}
        asked={asked}
        insertReply={(textId) => <InsertReply replies={replies} textId={textId} />}
        result={result?.initialValue?.intent === "note" ? undefined : result}
      />
      {notes && (
        <div className="mt-10">
          <NotesSection {...notes} result={result} />
        </div>
      )}
    </>
  );
}
