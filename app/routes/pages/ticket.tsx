import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ticketMessageSchema } from "#app/features/support-tickets/ticket.schema.ts";
import { TicketMessageForm, TicketMessages } from "#app/features/support-tickets/ticket-messages.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readSignedToken } from "#app/server/config/signed-links.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm, submissionKeyOf } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Your report");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

/** Loaded on demand: few requests need it. */
const loadTickets = () => import("#app/features/support-tickets/tickets.server.ts");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: the signed token in the emailed link names the ticket.
  const id = await ticketIdOf(context, request);
  const ticket = id ? await (await loadTickets()).findOwnTicket(context.db, id) : null;
  return json({ ticket, formKey: crypto.randomUUID() }, { status: ticket ? 200 : 410 });
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: as above.
  const form = await readForm(request);
  const submission = parseForm(form, ticketMessageSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const limitRefusal = await rateLimitRefusal(context, "send ticket", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const id = await ticketIdOf(context, request);
  const { text } = submission.value;
  const outcome = id
    ? await (await loadTickets()).replyToAnswer(context.db, id, {
        text,
        formKey: await submissionKeyOf({ request, form }),
      })
    : "not found";
  if (outcome === "not found") throw notFound();
  if (outcome === "too many") {
    const formErrors = ["This report has too many messages. Send a new one."];
    return invalidForm(submission, { status: 409, formErrors });
  }
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message: "Message sent" });
});

async function ticketIdOf(context: AppLoadContext, request: Request): Promise<string | null> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return (await readSignedToken(context.secrets, "report", token))?.sub ?? null;
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Ticket() {
  const { ticket, formKey } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="page-width py-8 sm:py-12">
      <div className="mx-auto max-w-xl">
        <h1 className="mb-8 text-3xl font-semibold sm:text-4xl">
          {ticket ? "Your report" : "This link doesn’t work"}
        </h1>
        {ticket && <p className="-mt-6 mb-8 text-quiet tabular-nums">Number {ticket.number}</p>}
        {ticket ? (
          <div className="grid gap-8">
            <TicketMessages ticket={ticket} sender="You" />
            {/* A new key resets the form after success. */}
            <TicketMessageForm
              key={ticket.messages.length}
              label="Message"
              hint="We answer by email. Never send passwords or card details."
              formKey={formKey}
              lastResult={actionData?.result}
            />
          </div>
        ) : (
          <p>
            Open the link in the email again, or{" "}
            <Link to="/report" className="link">
              send a new report
            </Link>
            .
          </p>
        )}
      </div>
    </div>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
