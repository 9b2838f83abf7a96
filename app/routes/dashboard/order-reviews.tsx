import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, type PostedForm, requireUser, suspensionRefusal } from "#app/auth/guard.server.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { OrderReviewsView } from "#app/features/reviews/order-reviews-view.tsx";
import { reviewRefusals } from "#app/features/reviews/review.rules.ts";
import { replyFormSchema, reviewFormSchema } from "#app/features/reviews/review.schema.ts";
import { findOrderReviews } from "#app/features/reviews/reviews.server.ts";
import {
  type ReplyOutcome,
  type ReviewOutcome,
  replyToReview,
  saveReview,
} from "#app/features/reviews/write-review.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction = () => pageTitle("Reviews of an order");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const orderId = params.orderId ?? "";
  const [reviews] = await Promise.all([
    findOrderReviews(context.db, viewer, orderId),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  if (!reviews) throw notFound();
  return { orderId, reviews, suspended: suspensionRefusal(viewer, "review"), account: viewer.email };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const orderId = params.orderId ?? "";
  // Before the receipt there is no page that could show the form again.
  const hasPage = !isSuspended(viewer) || (await findOrderReviews(context.db, viewer, orderId));
  if (!hasPage) await requireUser(context, request, "review");
  const form = await readForm(request);
  const args = { request, context, viewer, form };
  if (form.get("intent") === "review") {
    const submission = parseForm(form, reviewFormSchema);
    if (submission.status !== "success") return invalidForm(submission);
    const save = () => saveReview(context.db, viewer, orderId, submission.value);
    return store(args, submission, save, "Review saved");
  }
  if (form.get("intent") === "reply") {
    const submission = parseForm(form, replyFormSchema);
    if (submission.status !== "success") return invalidForm(submission);
    const save = () => replyToReview(context.db, viewer, orderId, submission.value.reply);
    return store(args, submission, save, "Reply sent");
  }
  throw badRequest();
});

/** Stores a valid form if the account and the rate limit allow it. What a suspended account wrote is shown again. */
async function store(
  posted: PostedForm,
  submission: Parameters<typeof invalidForm>[0],
  save: () => Promise<ReviewOutcome | ReplyOutcome>,
  message: string,
) {
  const refusal = await formRefusal(posted, "review");
  if (refusal) return invalidForm(submission, refusal);
  const outcome = await save();
  if (outcome === "not found") throw notFound();
  if (outcome !== "saved") {
    return invalidForm(submission, { status: 409, formErrors: [reviewRefusals[outcome]] });
  }
  return redirectWithToast(posted.context, pathAndQuery(posted.request), { kind: "success", message });
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function OrderReviewsPage() {
  const { orderId, reviews, suspended, account } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <>
      <BackLink to={`/manage/orders/${orderId}`}>Back to the order</BackLink>
      <OrderReviewsView reviews={reviews} suspended={suspended} account={account} result={result} />
    </>
  );
}
