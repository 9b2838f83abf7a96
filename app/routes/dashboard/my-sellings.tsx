import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requireSelling } from "#app/auth/guard.server.ts";
import { isUnverifiedSeller } from "#app/features/accounts/verification.server.ts";
import { StatusBadge } from "#app/features/listings/badges.tsx";
import { specifiedPriceLabel } from "#app/features/listings/money.rules.ts";
import { listSellings, removePhone } from "#app/features/listings/sellings.server.ts";
import { DeviceCell } from "#app/features/photos/device-cell.tsx";
import { jsonRefusal, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ArrowRightIcon, PhoneIcon } from "#app/ui/icons.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { DashboardTable, deviceColumns, Storage, tableCursor } from "./dashboard-table.tsx";
import { redirectAfterDeletion } from "./table-actions.server.ts";

export const meta: MetaFunction = () => pageTitle("My Sellings");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireSelling(context, request);
  const [sellings, isUnverified] = await Promise.all([
    listSellings(context.db, viewer, tableCursor(request)),
    isUnverifiedSeller(context.db, viewer),
  ]);
  return { ...sellings, isUnverified };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireSelling(context, request);
  if (!(await withinLimit(context, "delete listing", request)))
    return jsonRefusal(overLimit("delete listing"));
  const form = await readForm(request);
  const removalId = await removePhone(context.db, viewer, String(form.get("_id")));
  return redirectAfterDeletion(context, request, removalId, "Post Deleted");
});

export default function MySellings() {
  const { isUnverified, ...sellings } = useLoaderData<typeof loader>();
  return (
    <DashboardTable
      title="My Sellings"
      action={
        <Link to="/addphone" className="btn btn-primary">
          Add a phone
        </Link>
      }
      notice={isUnverified && <VerificationNotice />}
      columns={deviceColumns}
      table={sellings}
      cells={(phone) => [
        phone.sellerName,
        <DeviceCell
          key="device"
          id={phone.id}
          cover={phone.cover}
          device={`${phone.brandName} ${phone.model}`}
          mayEdit={phone.isOwn}
        />,
        <Storage key="storage" ram={phone.ram} rom={phone.rom} />,
        specifiedPriceLabel(phone.sellingCents),
        <div key="action" className="flex flex-wrap items-center gap-2 max-md:justify-end">
          {phone.orderId && (
            <Link
              to={`/manage/orders/${phone.orderId}`}
              aria-description="View order"
              className="inline-flex items-center gap-1 rounded-selector py-1"
            >
              <StatusBadge status={phone.status} />
              <ArrowRightIcon className="size-4" />
            </Link>
          )}
          {phone.status !== "reserved" && (
            <RowAction id={phone.id} target={`${phone.brandName} ${phone.model}`}>
              Delete
            </RowAction>
          )}
        </div>,
      ]}
      empty={
        <EmptyState
          icon={<PhoneIcon className="size-10" />}
          title="Nothing for sale yet"
          text="List a phone or tablet for sale. It takes two minutes."
        />
      }
    />
  );
}

function VerificationNotice() {
  return (
    <p className="mb-6 max-w-prose rounded-box bg-base-200 px-4 py-3">
      <strong className="font-semibold">You are not verified yet.</strong> An administrator checks each new
      seller, so you don’t need to apply. Your listings are on sale in the meantime, and show “Verified
      seller” as soon as you are verified. Waiting for long?{" "}
      <Link to="/report" className="link">
        Write to the administrator
      </Link>
      .
    </p>
  );
}
