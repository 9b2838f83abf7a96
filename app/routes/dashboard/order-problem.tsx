import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser } from "#app/auth/guard.server.ts";
import { isAmountRefusal, problemRefusals } from "#app/features/order-problems/order-problem.rules.ts";
import { problemFormSchema } from "#app/features/order-problems/order-problem.schema.ts";
import { OrderProblemView } from "#app/features/order-problems/order-problem-view.tsx";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { choosePhotosAgainText, uploadTooLargeText } from "#app/features/photos/photo-refusals.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { filesIn, readUpload } from "#app/server/forms/files.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { type FormRefusal, invalidForm, parseForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { acceptsHtml } from "#app/server/http/request.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("Problem with an order");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", uploads: "fields and files" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const { findOrderProblem } = await import("#app/features/order-problems/order-problem-details.server.ts");
  const [found] = await Promise.all([
    findOrderProblem(context.db, viewer, params.orderId ?? ""),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  if (!found) throw notFound();
  return { found, account: viewer.email };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const orderId = params.orderId ?? "";
  const { form, isTooLarge } = await readUpload(request);
  const intent = form.get("intent");
  // Nothing of it could be read.
  if (isTooLarge && intent === null) return refusedForm({ status: 413, formErrors: [uploadTooLargeText] });
  if (intent !== "open" && intent !== "answer") throw badRequest();
  const submission = parseForm(form, problemFormSchema(form));
  const files = filesIn(form, "photos");
  const refuse = ({ formErrors = [], ...refusal }: FormRefusal = {}) =>
    invalidForm(submission, {
      ...refusal,
      formErrors:
        files.length > 0 && acceptsHtml(request) ? [...formErrors, choosePhotosAgainText] : formErrors,
    });
  if (isTooLarge) return refuse({ status: 413, fieldErrors: { photos: [uploadTooLargeText] } });
  if (submission.status !== "success") return refuse();
  const refusal = await formRefusal({ context, request, viewer, form }, "order problem");
  if (refusal) return refuse(refusal);
  const { value } = submission;
  const { db, photoStorage: storage, reference } = context;
  const { openProblem } = await import("#app/features/order-problems/open-problem.server.ts");
  const outcome =
    value.intent === "open"
      ? await openProblem(db, viewer, orderId, value, undefined, { files, storage, reference })
      : await answerProblem(db, viewer, orderId, value);
  if (outcome === "not found") throw notFound();
  if (typeof outcome === "object") return refuse({ fieldErrors: { photos: outcome.photoRefusals } });
  if (outcome !== "done") {
    const errors = [problemRefusals[outcome]];
    return refuse(
      value.intent === "answer" && value.answer === "offer" && isAmountRefusal(outcome)
        ? { fieldErrors: { amount: errors } }
        : { status: 409, formErrors: errors },
    );
  }
  const message = value.intent === "open" ? "Problem sent" : messages[value.answer];
  return redirectWithToast(context, pathAndQuery(request), { kind: "success", message });
});

const messages = {
  offer: "Offer sent",
  accept: "Accepted",
  decline: "Offer declined",
  ask: "We’ll decide",
  close: "Marked as solved",
  write: "Message sent",
};

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function OrderProblemPage() {
  const { found, account } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <>
      <BackLink to={`/manage/orders/${found.order.id}`}>Back to the order</BackLink>
      <ActionError />
      <OrderProblemView
        // The key resets the form for a new problem once there is one.
        key={found.problems.map(({ id }) => id).join()}
        found={found}
        account={account}
        result={result}
      />
    </>
  );
}
