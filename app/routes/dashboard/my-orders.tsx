import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { specifiedPriceLabel } from "#app/features/listings/money.rules.ts";
import { cancellableStages, roleInOrders, tooLateToCancel } from "#app/features/orders/order.rules.ts";
import { OrderBadge } from "#app/features/orders/order-badge.tsx";
import { isTooLateToCancel } from "#app/features/orders/order-details.server.ts";
import { cancelOrder, listOrders } from "#app/features/orders/orders.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { jsonRefusal, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { DashboardTable, deviceColumns, Storage, tableCursor } from "./dashboard-table.tsx";
import { pathAndQuery, redirectAfterDeletion } from "./table-actions.server.ts";

export const meta: MetaFunction = () => pageTitle("My Orders");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const orders = await listOrders(context.db, viewer, tableCursor(request));
  return { ...orders, role: roleInOrders(viewer) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  if (!(await withinLimit(context, "cancel order", request))) return jsonRefusal(overLimit("cancel order"));
  const form = await readForm(request);
  const orderId = String(form.get("_id"));
  const removalId = await cancelOrder(context.db, viewer, orderId);
  if (!removalId && (await isTooLateToCancel(context.db, viewer, orderId))) {
    return redirectWithToast(context, pathAndQuery(request), { kind: "error", message: tooLateToCancel });
  }
  return redirectAfterDeletion(context, request, removalId, "Order Cancelled");
});

export default function MyOrders() {
  const { role, ...orders } = useLoaderData<typeof loader>();
  return (
    <DashboardTable
      title="My Orders"
      columns={deviceColumns}
      table={orders}
      cells={(order) => [
        order.buyerName,
        <Link key="device" to={`/manage/orders/${order.id}`} aria-description="View order" className="link">
          {order.productName}
        </Link>,
        <Storage key="storage" ram={order.ram} rom={order.rom} />,
        specifiedPriceLabel(order.priceCents),
        cancellableStages(role).includes(order.stage) ? (
          <RowAction key="delete" id={order.id} target={order.productName}>
            Delete
          </RowAction>
        ) : (
          <OrderBadge key="stage" stage={order.stage} />
        ),
      ]}
      empty={
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="No orders yet"
          text="Devices that you book appear here."
        >
          <Link to="/products" className="btn btn-primary">
            Browse devices
          </Link>
        </EmptyState>
      }
    />
  );
}
