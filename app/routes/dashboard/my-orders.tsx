import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import type { OrderStage } from "#app/db/values.ts";
import { specifiedPriceLabel } from "#app/features/listings/money.rules.ts";
import { cancellableStages, roleInOrders, tooLateToCancel } from "#app/features/orders/order.rules.ts";
import { OrderBadge } from "#app/features/orders/order-badge.tsx";
import { isTooLateToCancel } from "#app/features/orders/order-details.server.ts";
import { cancelOrder, listOpenSales, listOrders } from "#app/features/orders/orders.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { DashboardTable, deviceColumns, pageNumber, Storage } from "./dashboard-table.tsx";
import { pathAndQuery, redirectAfterDeletion } from "./table-actions.server.ts";

export const meta: MetaFunction = () => pageTitle("My Orders");

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [orders, sales] = await Promise.all([
    listOrders(context.db, viewer, pageNumber(request)),
    // Buyers can sell, but have no My Sellings page.
    viewer.userType === "Buyer" ? listOpenSales(context.db, viewer) : null,
  ]);
  return { ...orders, sales, role: roleInOrders(viewer) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const orderId = String(form.get("_id"));
  const removalId = await cancelOrder(context.db, viewer, orderId);
  if (!removalId && (await isTooLateToCancel(context.db, viewer, orderId))) {
    return redirectWithToast(context, pathAndQuery(request), { kind: "error", message: tooLateToCancel });
  }
  return redirectAfterDeletion(context, request, removalId, "Order Cancelled");
});

export default function MyOrders() {
  const { role, sales, ...orders } = useLoaderData<typeof loader>();
  return (
    <>
      <SalesUnderWay sales={sales ?? []} />
      <DashboardTable
        title="My Orders"
        intro="Select a device to see its order."
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
    </>
  );
}

function SalesUnderWay({ sales }: { sales: { id: string; productName: string; stage: OrderStage }[] }) {
  if (sales.length === 0) return null;
  return (
    <section aria-labelledby="sales" className="mb-8 max-w-2xl rounded-box border border-base-300 p-5">
      <h2 id="sales" className="mb-3 text-xl font-semibold">
        Your sales
      </h2>
      <ul className="grid gap-3">
        {sales.map(({ id, productName, stage }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <Link to={`/manage/orders/${id}`} className="link min-w-0 wrap-anywhere">
              {productName}
            </Link>
            <OrderBadge stage={stage} />
          </li>
        ))}
      </ul>
    </section>
  );
}
