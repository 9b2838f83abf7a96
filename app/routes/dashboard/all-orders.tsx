import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { orderTable } from "#app/features/orders/order-table.rules.ts";
import { OrderTable } from "#app/features/orders/order-table.tsx";
import { listAllOrders } from "#app/features/orders/orders.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("All orders");

export const handle = { access: "manage orders", menu: { label: "All orders" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  const { cursor, query } = tableQuery(orderTable, request);
  return { query, orders: await listAllOrders(context.db, cursor, query) };
});

export default function AllOrders() {
  const { query, orders } = useLoaderData<typeof loader>();
  return (
    <OrderTable
      title="All orders"
      filters={{ table: orderTable, query }}
      orders={orders}
      viewerRole="administrator"
      empty={
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="No orders yet"
          text="Every buyer’s orders show up here."
        />
      }
    />
  );
}
