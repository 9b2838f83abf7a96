import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { formRefusal, requirePermission } from "#app/auth/guard.server.ts";
import type { TargetKind } from "#app/db/enums.ts";
import { DeletionNote } from "#app/features/administration/deletion-note.tsx";
import type { NoteSubject } from "#app/features/administration/notes.server.ts";
import { NotesSection } from "#app/features/administration/notes-section.tsx";
import { InsertReply } from "#app/features/administration/saved-replies-view.tsx";
import { insertButton } from "#app/features/administration/saved-reply.schema.ts";
import { CaseClaim } from "#app/features/administration/work-view.tsx";
import { CaseView } from "#app/features/moderation/case-view.tsx";
import {
  decisionQuestion,
  moderatorDecisions,
  skippedReversalEmailText,
} from "#app/features/moderation/decisions/decision.rules.ts";
import { decisionSchema, suspensionLengthsFor } from "#app/features/moderation/decisions/decision.schema.ts";
import { DecisionForm } from "#app/features/moderation/decisions/decision-form.tsx";
import { isTargetKind } from "#app/features/moderation/reports/content-report.rules.ts";
import { findTarget } from "#app/features/moderation/target.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm, submissionKeyOf } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { confirmedIn } from "../message-question.server.ts";
import { insertReply, replyTitles } from "./insert-reply.server.ts";
import { notesFor, writeNote } from "./write-note.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Moderation: ${data.moderationCase.target.name}` : "Moderation");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = { access: "moderate" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { kind, targetId = "" } = params;
  if (!isTargetKind(kind)) throw notFound();
  const { findCase } = await import("#app/features/moderation/cases.server.ts");
  const { findClaim } = await import("#app/features/administration/work.server.ts");
  const { findDeletedListing } = await import("#app/features/administration/deletions.server.ts");
  const [moderationCase, deletion, work, replies, notes] = await Promise.all([
    findCase(context.db, viewer, kind, targetId),
    kind === "listing" ? findDeletedListing(context.db, viewer, targetId) : null,
    findClaim(context.db, viewer, `/manage/moderation/${kind}/${targetId}`),
    replyTitles(context),
    notesFor(context, viewer, noteSubject(kind, targetId)),
  ]);
  if (!moderationCase) throw notFound();
  return {
    moderationCase,
    deletion,
    work,
    replies,
    notes,
    lengths: suspensionLengthsFor(viewer),
    account: viewer.email,
    formKey: crypto.randomUUID(),
  };
});

/** Notes are about listings and people. */
function noteSubject(kind: TargetKind, id: string): NoteSubject | null {
  if (kind === "listing") return { kind, id };
  return kind === "seller" ? { kind: "user", id } : null;
}

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { kind, targetId = "" } = params;
  if (!isTargetKind(kind)) throw notFound();
  const form = await readForm(request);
  const posted = { context, request, viewer, form };
  if (form.get("intent") === "note") {
    const target = await findTarget(context.db, viewer, kind, targetId);
    return writeNote(posted, target && noteSubject(kind, targetId));
  }
  if (form.has(insertButton)) {
    const { findCase } = await import("#app/features/moderation/cases.server.ts");
    const found = await findCase(context.db, viewer, kind, targetId);
    if (!found) throw notFound();
    const { owner, target, content } = found;
    const values = { name: owner?.name, device: content.listing && target.name };
    return insertReply(context, form, { schema: decisionSchema, field: "reason", values });
  }
  const submission = parseForm(form, decisionSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "decide report");
  if (refusal) return invalidForm(submission, refusal);
  const { value } = submission;
  const asked = [value.decision, value.decision === "suspend" && value.days].filter(Boolean).join(" ");
  if (moderatorDecisions[value.decision].asksFirst && !confirmedIn(form).includes(asked)) {
    const { findCase } = await import("#app/features/moderation/cases.server.ts");
    const found = await findCase(context.db, viewer, kind, targetId);
    // What isn't possible is refused below, and not asked about.
    const isPossible =
      found?.choices.includes(value.decision) &&
      suspensionLengthsFor(viewer).includes(value.days) &&
      value.lastDecisionId === (found.ofThis[0]?.id ?? "");
    if (isPossible) {
      const question = decisionQuestion(value.decision, kind, value.days);
      return invalidForm(submission, { formErrors: [question], asked: [asked] });
    }
  }
  const formKey = await submissionKeyOf({ request, form });
  const { approveOtherListings, decide } = await import(
    "#app/features/moderation/decisions/decide.server.ts"
  );
  const outcome = await decide(context.db, viewer, kind, targetId, value, formKey);
  if (outcome.refusal === "not found") throw notFound();
  if (outcome.refusal)
    return invalidForm(submission, {
      status: outcome.refusal === "not allowed" ? 403 : 409,
      formErrors: [outcome.message],
    });
  const others =
    value.decision === "approve" && value.others && formKey
      ? await approveOtherListings(context.db, viewer, targetId, formKey)
      : [];
  const hasNoEmail =
    value.decision === "reverse" &&
    (await import("#app/features/moderation/decisions/decision-emails.server.ts").then(
      ({ wasReversalEmailSkipped }) => wasReversalEmailSkipped(context.db, outcome.id),
    ));
  const message =
    others.length > 0
      ? `${others.length + 1} listings are on sale.`
      : hasNoEmail
        ? skippedReversalEmailText
        : moderatorDecisions[value.decision].message;
  const undo = [outcome.id, ...others].join(",");
  const isNext = form.get("intent") === "next";
  const { nextCase } = await import("#app/features/administration/work.server.ts");
  const to = isNext ? await nextCase(context.db, viewer, "/manage/moderation/") : pathAndQuery(request);
  return redirectWithToast(context, to, { kind: "success", message, undo });
});

export { unlessInserted as shouldRevalidate } from "#app/features/administration/saved-replies-view.tsx";

export default function ModerationCase() {
  const { moderationCase, deletion, work, replies, notes, lengths, account, formKey } =
    useLoaderData<typeof loader>();
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  const { search } = useLocation();
  return (
    <>
      <BackLink to={`/manage/moderation${search}`}>Moderation</BackLink>
      <CaseClaim work={work} />
      <CaseView
        moderationCase={moderationCase}
        deletion={
          deletion && (
            <DeletionNote
              deletion={deletion}
              what={deletion.isOfAccount ? "the seller, and this listing with them," : "this listing"}
              target={moderationCase.target.name}
            />
          )
        }
        notes={notes && <NotesSection {...notes} result={result} />}
      >
        {/* A new key resets the form after a decision, and not after a note. */}
        <DecisionForm
          key={moderationCase.ofThis[0]?.id}
          account={account}
          lastDecisionId={moderationCase.ofThis[0]?.id ?? ""}
          formKey={formKey}
          targetKind={moderationCase.target.kind}
          choices={moderationCase.choices}
          othersHeld={moderationCase.othersHeld}
          lengths={lengths}
          reversible={moderationCase.reversible}
          insertReply={(textId) => <InsertReply replies={replies} textId={textId} />}
          asked={asked}
          lastResult={result?.initialValue?.intent === "note" ? undefined : result}
        />
      </CaseView>
    </>
  );
}
