import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, type PostedForm, requirePermission } from "#app/auth/guard.server.ts";
import { DeletionNote } from "#app/features/administration/deletion-note.tsx";
import { NotesSection } from "#app/features/administration/notes-section.tsx";
import { InsertReply } from "#app/features/administration/saved-replies-view.tsx";
import { insertButton } from "#app/features/administration/saved-reply.schema.ts";
import { TradeLists } from "#app/features/administration/user-lists.tsx";
import { CaseClaim } from "#app/features/administration/work-view.tsx";
import { ticketAnswerSchema } from "#app/features/support-tickets/ticket.schema.ts";
import { TicketMessageForm } from "#app/features/support-tickets/ticket-messages.tsx";
import { TicketView, ticketTitle } from "#app/features/support-tickets/ticket-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  invalidForm,
  parseForm,
  readForm,
  refusedForm,
  submissionKeyOf,
} from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { isMailConfigured, mailNotConfigured } from "#app/server/mail/mail.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Link } from "#app/ui/link.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { insertReply, replyTitles } from "./insert-reply.server.ts";
import { notesFor, writeNote } from "./write-note.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data?.ticket ? ticketTitle(data.ticket) : "Report");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = { access: "read support tickets" } satisfies RouteHandle;

/** Loaded on demand: few requests need it. */
const loadTickets = () => import("#app/features/support-tickets/tickets.server.ts");

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { ticketId = "" } = params;
  const { findTicket } = await loadTickets();
  const { findClaim } = await import("#app/features/administration/work.server.ts");
  const [ticket, work, replies, notes] = await Promise.all([
    findTicket(context.db, ticketId),
    findClaim(context.db, viewer, `/manage/reports/${ticketId}`),
    replyTitles(context),
    notesFor(context, viewer, { kind: "report", id: ticketId }),
  ]);
  if (!ticket) {
    const { findDeletedTicket } = await import("#app/features/administration/deletions.server.ts");
    const deletion = await findDeletedTicket(context.db, viewer, ticketId);
    if (!deletion) throw notFound();
    return { ticket: null, deletion };
  }
  const { findTradeOfAddress } = await import("#app/features/administration/user-details.server.ts");
  const { findNamedErrors } = await import("#app/features/administration/recorded-errors.server.ts");
  const texts = [ticket.details, ...ticket.messages.map(({ text }) => text)];
  const [sender, errors] = await Promise.all([
    findTradeOfAddress(context.db, viewer, ticket.email),
    findNamedErrors(context.db, texts),
  ]);
  return {
    ticket,
    work,
    replies,
    notes,
    sender,
    errors,
    account: viewer.email,
    formKey: crypto.randomUUID(),
  };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const form = await readForm(request);
  const { ticketId = "" } = params;
  const intent = form.get("intent");
  const posted = { context, request, viewer, form };
  if (intent === "note") return writeNote(posted, { kind: "report", id: ticketId });
  if (form.has(insertButton)) {
    const ticket = await (await loadTickets()).findTicket(context.db, ticketId);
    if (!ticket) throw notFound();
    const values = { name: ticket.name };
    return insertReply(context, form, { schema: ticketAnswerSchema, field: "text", values });
  }
  if (intent === "answer") return sendAnswer(posted, ticketId);
  if (intent !== "close" && intent !== "reopen") throw badRequest();
  const limitRefusal = await rateLimitRefusal(context, "answer ticket", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const state = intent === "close" ? "closed" : "open";
  const { changeTicketState } = await loadTickets();
  if (!(await changeTicketState(context.db, viewer, ticketId, state))) throw notFound();
  const message = intent === "close" ? "Report closed" : "Report open again";
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message });
});

async function sendAnswer(posted: PostedForm, ticketId: string) {
  const { context, request, viewer, form } = posted;
  const submission = parseForm(form, ticketAnswerSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "answer ticket");
  if (refusal) return invalidForm(submission, refusal);
  if (!isMailConfigured(context.environment)) {
    return invalidForm(submission, { status: 503, formErrors: [mailNotConfigured] });
  }
  const { text } = submission.value;
  const answer = { text, formKey: await submissionKeyOf({ request, form }) };
  const { answerRefusals, answerTicket } = await loadTickets();
  const outcome = await answerTicket(context.db, viewer, ticketId, answer);
  if (outcome === "not found") throw notFound();
  if (outcome !== "done") {
    return invalidForm(submission, { status: 409, formErrors: [answerRefusals[outcome]] });
  }
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message: "Answer sent" });
}

export { unlessInserted as shouldRevalidate } from "#app/features/administration/saved-replies-view.tsx";

export default function TicketPage() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<{ result?: SubmissionResult<string[]> }>()?.result;
  if (!data.ticket)
    return (
      <>
        <BackLink to="/manage/reports">Reports</BackLink>
        <h1 className="mb-4 text-3xl font-semibold">Deleted report</h1>
        <DeletionNote deletion={data.deletion} what="this report" target="Report" />
      </>
    );
  const { ticket, work, replies, notes, sender, errors, account, formKey } = data;
  return (
    <>
      <BackLink to="/manage/reports">Reports</BackLink>
      <CaseClaim work={work} />
      <TicketView ticket={ticket} errors={errors}>
        {/* A new key resets the form after an answer, and not after a note. */}
        <TicketMessageForm
          key={ticket.messages.length}
          label="Answer"
          hint={`We email it to ${ticket.email}, with a link to write back.`}
          account={account}
          formKey={formKey}
          insertReply={(textId) => <InsertReply replies={replies} textId={textId} />}
          lastResult={resultOfForm(result, "answer")}
        />
      </TicketView>
      {notes && (
        <div className="mt-10">
          <NotesSection {...notes} result={result} />
        </div>
      )}
      {sender && (
        <div className="mt-10 grid gap-10">
          <p className="max-w-prose text-quiet">
            <Link to={`/manage/users/${sender.user.id}`} className="link">
              {sender.user.name}
            </Link>{" "}
            has an account with this address. Anyone can type someone else’s address, so don’t share anything
            of this account in your answer.
          </p>
          <TradeLists email={sender.user.email} {...sender} />
        </div>
      )}
    </>
  );
}
