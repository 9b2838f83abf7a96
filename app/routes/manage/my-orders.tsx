import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { cancelOrder, listOrders } from "#app/features/bookings/bookings.server.ts";
import { toDollars } from "#app/features/phones/money.rules.ts";
import { redirectWithToast } from "#app/platform/flash.server.ts";
import { readForm } from "#app/platform/forms.server.ts";
import { pageTitle } from "#app/platform/page-title.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ParcelIcon } from "#app/ui/icons.tsx";
import { Table } from "#app/ui/table.tsx";
import { requireViewer } from "../guard.server.ts";

export const meta: MetaFunction = () => pageTitle("My Orders");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  return { orders: await listOrders(context.db, viewer) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(context, request);
  const form = await readForm(request);
  const cancelled = await cancelOrder(context.db, viewer, String(form.get("_id")));
  return redirectWithToast(
    context,
    "/manage",
    cancelled > 0
      ? { kind: "success", message: "Order Cancelled" }
      : { kind: "error", message: "This order could not be cancelled." },
  );
}

export default function MyOrders() {
  const { orders } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">My Orders</h1>
      {orders.length === 0 ? (
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="No orders yet"
          text="What you book is kept here until it is yours."
        >
          <Link to="/products" className="btn btn-primary">
            Look at phones
          </Link>
        </EmptyState>
      ) : (
        <Table
          caption="My Orders"
          columns={["", "Name", "Device Name", "Storage", "Price", "Action"]}
          rows={orders.map((order, index) => ({
            key: order.id,
            cells: [
              index + 1,
              order.buyerName,
              order.productName,
              `${order.ram} ${order.rom}`,
              `${toDollars(order.priceCents)}$`,
              <Form key="delete" method="post">
                <input type="hidden" name="_id" value={order.id} />
                <SubmitButton className="btn-outline btn-sm btn-error" pending={{ _id: order.id }}>
                  Delete
                </SubmitButton>
              </Form>,
            ],
          }))}
        />
      )}
    </>
  );
}
