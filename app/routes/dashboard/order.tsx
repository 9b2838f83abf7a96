import type { SubmissionResult } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { requireUser, suspensionRefusal } from "#app/auth/guard.server.ts";
import { may } from "#app/features/accounts/permissions.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { NoteSubject } from "#app/features/administration/notes.server.ts";
import { NotesSection } from "#app/features/administration/notes-section.tsx";
import { newMessagePath } from "#app/features/messages/message.rules.ts";
import { OrderProblemSection, SilenceNote } from "#app/features/order-problems/order-problem-view.tsx";
import { cancellationSchema, handoverSchema } from "#app/features/orders/booking.schema.ts";
import { DeliveryForm } from "#app/features/orders/delivery-form.tsx";
import { type OrderRole, parcelAfter, shownHandover } from "#app/features/orders/order.rules.ts";
import { HandOverForm, OrderActions } from "#app/features/orders/order-actions.tsx";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import {
  bookedToast,
  doneMessage,
  isWayOut,
  type OrderIntent,
  orderIntents,
  orderRefusals,
  parcelText,
  stepLabel,
  trackingQuestion,
} from "#app/features/orders/order-texts.ts";
import {
  BookedSteps,
  OrderFacts,
  OrderHeader,
  OrderPayment,
  OrderTimeline,
  PayForm,
  PrintButton,
} from "#app/features/orders/order-view.tsx";
import { LedgerSection } from "#app/features/payments/ledger-section.tsx";
import { hasProvider } from "#app/features/payments/provider.ts";
import { buyersOfOrders } from "#app/features/reviews/buyer-record.server.ts";
import { canWriteReview, OrderReviewsLink } from "#app/features/reviews/order-reviews-view.tsx";
import { findOrderReviews } from "#app/features/reviews/reviews.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  type FormRefusal,
  invalidForm,
  parseForm,
  readForm,
  refusedForm,
} from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery, safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";
import { confirmedIn } from "../message-question.server.ts";
import { saveDelivery } from "./save-delivery.server.ts";
import { notesFor, writeNote } from "./write-note.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Order: ${data.order.productName}` : "Order");

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

/** Loaded on demand: few requests need them. */
const orderRestoring = () => import("#app/features/orders/order-restoring.server.ts");
const paying = () => import("./pay-order.server.ts");
const staffMoney = () => import("./decide-money.server.ts");

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const orderId = params.orderId ?? "";
  const { pathname, searchParams } = new URL(request.url);
  if (searchParams.has("paid")) {
    const isPaid = await (await paying()).confirmOrder({ context, viewer }, orderId);
    const page = `${pathname}?booked=%2Fproducts`;
    throw isPaid ? await redirectWithToast(context, page, bookedToast) : redirect(page, 303);
  }
  const { findOrderProblem } = await import("#app/features/order-problems/order-problem-details.server.ts");
  const { canRestoreOrder } = await orderRestoring();
  const [order, canUndoCancelling, reviews, problem, notes, buyers] = await Promise.all([
    findOrder(context.db, viewer, orderId),
    canRestoreOrder(context.db, viewer, orderId, context.environment),
    findOrderReviews(context.db, viewer, orderId),
    findOrderProblem(context.db, viewer, orderId),
    notesFor(context, viewer, noteSubject(viewer, orderId)),
    buyersOfOrders(context.db, viewer, [orderId]),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  if (!order) throw notFound();
  const booked = searchParams.get("booked");
  const isJustBooked =
    order.role === "buyer" &&
    order.payment?.state !== "to pay" &&
    order.status === "active" &&
    order.stage === "reserved" &&
    !order.gone &&
    !order.isSellerSuspended &&
    !problem?.block;
  /** Where a booking came from; null if this is no page after a booking. */
  const backTo = booked !== null && isJustBooked ? safeRedirect(booked) : null;
  return {
    order: { ...order, canUndoCancelling },
    /** The viewer's cancellation, as long as they can undo it. */
    undoId: canUndoCancelling && order.status === "cancelled" ? order.removalId : null,
    hasProvider: hasProvider(context.environment),
    reviews: reviews && suspensionRefusal(viewer, "review") ? { ...reviews, writableUntil: null } : reviews,
    backTo,
    problem,
    /** Why the viewer can message nobody. */
    suspended: suspensionRefusal(viewer, "message"),
    /** For its seller. */
    buyerRecord: buyers[orderId] ?? null,
    // On their own orders, administrators are a side like others.
    notes: order.role === "administrator" ? notes : null,
    ledger:
      order.role === "administrator" && order.payment
        ? await (await staffMoney()).ledgerOf(context, viewer, orderId)
        : null,
  };
});

const noteSubject = (viewer: Viewer, id: string): NoteSubject | null =>
  may(viewer, "manage orders") ? { kind: "order", id } : null;

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const orderId = params.orderId ?? "";
  const posted = { context, request, viewer, form };
  if (form.get("intent") === "delivery") return saveDelivery(posted, orderId);
  if (form.get("intent") === "pay") {
    const refusal = await rateLimitRefusal(context, "advance order", request);
    if (refusal) return refusedForm(refusal);
    const paid = await (await paying()).payOrder(posted, orderId);
    if (!paid) throw notFound();
    return paid;
  }
  if (form.get("intent") === "refund" || form.get("intent") === "release") {
    return (await staffMoney()).decideMoney(posted, orderId);
  }
  if (form.get("intent") === "send again") return (await staffMoney()).sendAgain(posted, orderId);
  if (form.get("intent") === "note") return writeNote(posted, noteSubject(viewer, orderId));
  const intent = orderIntents.find((known) => known === form.get("intent"));
  if (!intent) throw badRequest();
  const mutation = intent === "cancel" ? "cancel order" : "advance order";
  const limitRefusal = await rateLimitRefusal(context, mutation, request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const handover = parseForm(form, handoverSchema);
  if (intent === "hand over" && handover.status !== "success") return invalidForm(handover);
  const said = handover.status === "success" ? handover.value : {};
  const question = intent === "hand over" && handover.status === "success" && askAboutParcel(form, said);
  if (question) return invalidForm(handover, question);
  const cancellation = parseForm(form, cancellationSchema);
  const { refusal, removalId } = await handleOrderIntent(context.db, viewer, orderId, intent, {
    // A blank number is one that was taken away.
    handover: form.has("trackingNumber") ? { ...said, trackingNumber: said.trackingNumber ?? "" } : said,
    shown: form.get("shown")?.toString(),
    reason: cancellation.status === "success" ? cancellation.value.reason : undefined,
  });
  if (refusal === "not found") throw notFound();
  if (refusal === "reason required" && cancellation.status !== "success") return invalidForm(cancellation);
  const undoing = intent === "hand over" ? "undo handover" : intent === "receive" ? "undo receipt" : null;
  const canUndo = undoing && (await findOrder(context.db, viewer, orderId))?.intents.includes(undoing);
  const { canRestoreOrder } = await orderRestoring();
  const canRestore = removalId && (await canRestoreOrder(context.db, viewer, orderId, context.environment));
  return redirectWithToast(
    context,
    // The form of My Sells leads back to it.
    safeRedirect(form.get("redirectTo"), pathAndQuery(request)),
    refusal
      ? { kind: "error", message: orderRefusals[refusal] }
      : {
          kind: "success",
          message: doneMessage(intent, parcelAfter(said, null) !== null),
          undo: canRestore ? removalId : undefined,
          ...(canUndo && {
            button: { label: "Undo", action: pathAndQuery(request), fields: { intent: undoing } },
          }),
        },
  );
});

/** Asks once about a tracking number that looks like another service’s; undefined if there is nothing to ask. */
function askAboutParcel(
  form: FormData,
  handover: Parameters<typeof parcelAfter>[0],
): FormRefusal | undefined {
  const parcel = parcelAfter(handover, null);
  const question = parcel && trackingQuestion(parcel);
  if (!question || confirmedIn(form).includes(parcelText(parcel))) return undefined;
  return { fieldErrors: { trackingNumber: [question] }, asked: [parcelText(parcel)] };
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

/** The table that leads to an order. */
const tables: Record<OrderRole, { to: string; children: string }> = {
  buyer: { to: "/manage", children: "My Orders" },
  seller: { to: "/manage/mysells", children: "My Sellings" },
  administrator: { to: "/manage/orders", children: "All orders" },
};

/** On a wide screen, beside the timeline and what stands below it. */
const whole = "xl:row-span-2 xl:row-start-1";

export default function OrderPage() {
  const { order, undoId, hasProvider, reviews, backTo, problem, suspended, buyerRecord, notes, ledger } =
    useLoaderData<typeof loader>();
  const isOpenToMessages = problem?.isOpenToMessages ?? false;
  const canMessage = isOpenToMessages && !problem?.block && !suspended;
  const canReport = problem !== null && problem.choices.length > 0;
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  const isLast = (intent: OrderIntent) =>
    intent === "extend" || (intent === "cancel" && !isWayOut(order, intent)) || intent.startsWith("undo ");
  const intents = order.intents.filter((intent) => !isLast(intent));
  const lastIntents = order.intents.filter(isLast);
  const isHandedOver =
    order.role === "seller" &&
    order.status === "active" &&
    order.stage === "handed over" &&
    !order.hasProblem;
  const toPay = order.role === "buyer" && order.payment?.canStillPay ? order.payment : null;
  // An open problem says who has to act, unless the viewer can take a step of the order meanwhile.
  const isProblemNext =
    intents.length === 0 && problem !== null && problem.problems.some(({ endedAt }) => endedAt === null);
  const problemSection = problem && <OrderProblemSection found={problem} isNext={isProblemNext} />;
  const reviewsLink = reviews && <OrderReviewsLink reviews={reviews} />;
  const canReview = reviews !== null && canWriteReview(reviews);
  const handedOver = isHandedOver ? stepLabel("handed over", order.parcel !== null) : null;
  // There is little else on the left.
  const isOver = order.status === "cancelled";
  return (
    <>
      <BackLink {...tables[order.role]} />
      <OrderHeader
        order={order}
        problem={{ problemEnd: problem?.problems.find(({ end }) => end)?.end ?? null, canReport }}
        isBooked={backTo !== null}
      />
      <ActionError />
      {/* The timeline comes first, also where it is beside the next steps. */}
      <div className="mt-8 grid grid-cols-1 gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <section aria-labelledby="order-steps" className={isOver ? "" : "xl:col-start-2"}>
          <h2 id="order-steps" className="mb-4 text-xl font-semibold">
            Steps
          </h2>
          <OrderTimeline order={order} />
        </section>
        <div className={`grid min-w-0 content-start gap-y-10 ${isOver ? "" : whole}`}>
          <div className="grid min-w-0 content-start gap-y-10 empty:hidden">
            {backTo !== null && <BookedSteps order={order} backTo={backTo} />}
            {canReview && reviewsLink}
            {isProblemNext && problemSection}
            {(toPay || isOpenToMessages || intents.length > 0 || isHandedOver) && (
              <section aria-labelledby="order-actions" className="max-w-lg print:hidden">
                <h2 id="order-actions" className="mb-4 text-xl font-semibold">
                  Next steps
                </h2>
                <div className="grid gap-5">
                  {toPay && <PayForm order={order} payBy={toPay.payBy} />}
                  {(intents.length > 0 || isHandedOver) && (
                    <OrderActions
                      order={order}
                      intents={intents}
                      handedOver={handedOver}
                      result={result}
                      asked={asked}
                    />
                  )}
                  {canMessage && (
                    <Link
                      to={newMessagePath({ order: order.id })}
                      className={`btn w-full ${backTo === null ? "btn-outline" : "btn-primary"}`}
                    >
                      Message the {order.role === "buyer" ? "seller" : "buyer"}
                    </Link>
                  )}
                  {problem && isOpenToMessages && !canMessage && (
                    <SilenceNote
                      found={problem}
                      suspended={suspended}
                      canCancel={order.intents.includes("cancel")}
                    />
                  )}
                </div>
              </section>
            )}
          </div>
          {!isProblemNext && problemSection}
          <OrderPayment
            order={order}
            hasProvider={hasProvider}
            isCovered={!problem?.refusal}
            canReport={canReport}
            isViewerSuspended={suspended !== null}
          />
          {!canReview && reviewsLink}
          {order.canChangeDelivery && order.delivery && (
            <section aria-labelledby="order-delivery" className="max-w-2xl print:hidden">
              <h2 id="order-delivery" className="mb-4 text-xl font-semibold">
                Delivery
              </h2>
              {/* The key shows what was saved last, also if that was done elsewhere. */}
              <DeliveryForm
                key={JSON.stringify(order.delivery)}
                delivery={order.delivery}
                lastResult={resultOfForm(result, "delivery")}
              />
            </section>
          )}
          {order.canChangeHandover && (
            <section aria-labelledby="order-handover" className="max-w-lg print:hidden">
              <h2 id="order-handover" className="mb-4 text-xl font-semibold">
                {order.parcel && !order.parcel.trackingNumber
                  ? "Add a tracking number"
                  : "Change how the buyer gets it"}
              </h2>
              {/* The key shows what was saved last. */}
              <HandOverForm
                key={JSON.stringify(order.parcel)}
                shown={shownHandover(order.stage, order.parcel)}
                parcel={order.parcel}
                label="Save the handover"
                lastResult={resultOfForm(result, "hand over")}
                asked={resultOfForm(result, "hand over") && asked}
              />
            </section>
          )}
          {(lastIntents.length > 0 || undoId || order.extensionRefusal) && (
            <section
              aria-labelledby="order-options"
              className="max-w-lg border-t border-base-300 pt-8 print:hidden"
            >
              <h2 id="order-options" className="mb-4 text-xl font-semibold">
                Other options
              </h2>
              <OrderActions
                order={order}
                intents={lastIntents}
                handedOver={null}
                undoId={undoId}
                result={result}
              />
              {order.extensionRefusal && <p className="mt-5 text-sm text-quiet">{order.extensionRefusal}</p>}
            </section>
          )}
          {ledger && <LedgerSection ledger={ledger} result={result} asked={asked} />}
          {notes && <NotesSection {...notes} result={result} />}
        </div>
        <section
          aria-labelledby="order-facts"
          className={`max-w-2xl min-w-0 xl:col-start-2 ${isOver ? whole : ""}`}
        >
          <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
            <h2 id="order-facts" className="text-xl font-semibold">
              Order details
            </h2>
            <PrintButton order={order} />
          </div>
          <OrderFacts order={order} buyerRecord={buyerRecord} />
        </section>
      </div>
    </>
  );
}
