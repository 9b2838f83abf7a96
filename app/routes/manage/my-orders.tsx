import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { cancelOrder, listOrders } from "#app/features/bookings/orders.server.ts";
import { toDollars } from "#app/features/phones/money.rules.ts";
import { readForm } from "#app/platform/forms.server.ts";
import { pageNumber } from "#app/platform/page-number.ts";
import { pageTitle } from "#app/platform/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { requireViewer } from "../guard.server.ts";
import { answerDeletion } from "./deletion.server.ts";
import { deviceColumns, ManagedTable, Storage } from "./managed-table.tsx";

export const meta: MetaFunction = () => pageTitle("My Orders");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  return listOrders(context.db, viewer, pageNumber(request));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(context, request);
  const form = await readForm(request);
  const removalId = await cancelOrder(context.db, viewer, String(form.get("_id")));
  return answerDeletion(context, request, removalId, "Order Cancelled");
}

export default function MyOrders() {
  const orders = useLoaderData<typeof loader>();
  return (
    <ManagedTable
      title="My Orders"
      columns={deviceColumns}
      table={orders}
      cells={(order) => [
        order.buyerName,
        order.productName,
        <Storage key="storage" ram={order.ram} rom={order.rom} />,
        `${toDollars(order.priceCents)}$`,
        <RowAction key="delete" id={order.id} describes={order.productName}>
          Delete
        </RowAction>,
      ]}
      empty={
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="No orders yet"
          text="What you book is kept here until it is yours."
        >
          <Link to="/products" className="btn btn-primary">
            Look at phones
          </Link>
        </EmptyState>
      }
    />
  );
}
