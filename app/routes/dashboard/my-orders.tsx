import type {
  ActionFunctionArgs,
  LoaderFunctionArgs,
  MetaFunction,
  SerializeFrom,
} from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import type { OrderStage } from "#app/db/enums.ts";
import { problemName, problemScope } from "#app/features/order-problems/order-problem.rules.ts";
import {
  afterSettlementText,
  problemStatusText,
  settlementLabel,
} from "#app/features/order-problems/order-problem-texts.ts";
import { ownOrderTable } from "#app/features/orders/order-table.rules.ts";
import { OrderTable } from "#app/features/orders/order-table.tsx";
import { nextStepText, warrantyTerm } from "#app/features/orders/order-texts.ts";
import type { OwnOrder } from "#app/features/orders/orders.server.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { payByText } from "#app/features/payments/payment-texts.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { handleCancelOrder, tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("My Orders");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", menu: { label: "My Orders" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const { cursor, query } = tableQuery(ownOrderTable, request);
  const filters = { stage: query.filters.stage ?? ("all" as const) };
  return { query, orders: await listOrders(context.db, viewer, cursor, { ...query, filters }) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  return handleCancelOrder(context, request, viewer);
});

export default function MyOrders() {
  const { query, orders } = useLoaderData<typeof loader>();
  return (
    <OrderTable
      title="My Orders"
      filters={{ table: ownOrderTable, query }}
      orders={orders}
      viewerRole="buyer"
      isExported={false}
      note={(order) => <OwnOrderNote order={order} />}
      empty={
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="No orders yet"
          text="Devices you book show up here."
        >
          <Link to="/products" className="btn btn-primary">
            Browse devices
          </Link>
        </EmptyState>
      }
    />
  );
}

/** The state, unless it stands in the row's last column, when the buyer booked, and what happens next by when. */
function OwnOrderNote({ order }: { order: SerializeFrom<OwnOrder> }) {
  const { dayLabel, recentLabel } = useDateLabels();
  const { problem, deadlineAt } = order;
  const hasEnded = order.status === "cancelled" && order.hasEndingProblem;
  const state =
    problem && order.hasProblem
      ? `${problemName(problem.kind)}.`
      : hasEnded
        ? "Ended because of a problem."
        : order.canDelete && "Reserved.";
  const settled = problem && settlementText(problem, order.stage);
  return (
    <>
      {state && <span className="font-medium text-base-content">{state} </span>}
      Booked {dayLabel(order.createdAt)}.{" "}
      {problem && order.hasProblem
        ? openProblemText(problem, order, dayLabel)
        : order.isToPay && order.status === "active" && deadlineAt
          ? payByText(recentLabel(deadlineAt))
          : nextStepText("buyer", order, deadlineAt && dayLabel(deadlineAt))}
      {settled && ` ${settled}`}
      <AfterHandover order={order} />
      {(order.hasProblem || hasEnded || settled) && (
        <>
          {" "}
          <Link to={`/manage/orders/${order.id}/problem`} className="link">
            View the problem
          </Link>
        </>
      )}
    </>
  );
}

/** When the warranty ends of a received device, and the link to write a review while that is possible. */
function AfterHandover({ order }: { order: SerializeFrom<OwnOrder> }) {
  const { dayLabel } = useDateLabels();
  const { status, hasProblem, warrantyEnd, reviewableUntil, isReviewed } = order;
  if (hasProblem) return null;
  const canReview = !isReviewed && reviewableUntil !== null && Date.parse(reviewableUntil) > Date.now();
  return (
    <>
      {status === "active" && warrantyEnd && ` ${warrantyTerm(warrantyEnd)} ${dayLabel(warrantyEnd)}.`}{" "}
      {canReview && (
        <Link to={`/manage/orders/${order.id}/reviews`} className="link">
          Review the seller
        </Link>
      )}
    </>
  );
}

type ListedProblem = NonNullable<OwnOrder["problem"]>;

/** Who has to act on an open problem, and by when. */
function openProblemText(
  { kind, deadline, ...problem }: ListedProblem,
  { stage, gone }: Pick<OwnOrder, "stage" | "gone">,
  dayLabel: (isoTime: string) => string,
): string {
  const until = new Date(deadline ?? 0);
  const isOverdue = until.getTime() < Date.now();
  const stated = {
    ...problem,
    kind,
    scope: problemScope(kind, stage),
    isOverdue,
    isOtherGone: gone !== null,
  };
  return problemStatusText(stated, "buyer", dayLabel(until.toISOString()));
}

/** What was agreed on to solve a problem, and what comes next; null if it ended without an offer. */
function settlementText(
  { kind, state, offer, amountCents, lastStep }: ListedProblem,
  stage: OrderStage,
): string | null {
  if (state !== "solved" || lastStep !== "accepted") return null;
  const settlement = { offer, amountCents, text: "" };
  const scope = problemScope(kind, stage);
  const next = afterSettlementText(settlement, scope, "buyer");
  return [`${settlementLabel(settlement, { kind, scope })}.`, ...(next ? [next] : [])].join(" ");
}
