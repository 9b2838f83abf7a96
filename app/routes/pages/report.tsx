import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { viewerIfReachable } from "#app/auth/guard.server.ts";
import { ticketFormSchema } from "#app/features/support-tickets/ticket.schema.ts";
import { TicketForm } from "#app/features/support-tickets/ticket-form.tsx";
import { prefillIntent } from "#app/features/support-tickets/ticket-intent.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { formKeyOf, invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Report a problem");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "anyone" };

export async function loader({ request, context }: LoaderFunctionArgs) {
  // Public: the form of a signed-in user is prefilled.
  const viewer = await viewerIfReachable(context, request);
  return {
    reporter: viewer && { name: viewer.name, email: viewer.email },
    formKey: crypto.randomUUID(),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: anyone may report a problem.
  const form = await readForm(request);
  const submission = parseForm(form, ticketFormSchema);
  if (form.get("intent") === prefillIntent) return json({ result: submission.reply() });
  if (submission.status !== "success") return invalidForm(submission);
  const limitRefusal = await rateLimitRefusal(context, "send ticket", request);
  if (limitRefusal) return invalidForm(submission, limitRefusal);
  const work = async () => {
    // Loaded on demand: few requests need it.
    const { createTicket } = await import("#app/features/support-tickets/tickets.server.ts");
    await createTicket(context.db, submission.value, formKeyOf(form));
    return redirectWithToast(context, "/report", { kind: "success", message: "Report Submitted" });
  };
  return unlessOutage(context, work, (refusal) => invalidForm(submission, refusal));
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Report() {
  const { reporter, formKey } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <div className="page-width py-8 sm:py-12">
      <div className="mx-auto max-w-xl">
        <h1 className="text-3xl font-semibold sm:text-4xl">Report a problem</h1>
        <p className="mt-3 mb-8 text-quiet">Something broken, or trouble with a buyer or seller? Tell us.</p>
        {/* A new key resets the form after success. */}
        <TicketForm key={formKey} formKey={formKey} reporter={reporter} lastResult={actionData?.result} />
      </div>
    </div>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
