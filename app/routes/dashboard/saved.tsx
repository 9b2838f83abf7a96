import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { RecentlySeen } from "#app/features/catalog/recently-seen.tsx";
import { DeviceThumbnail } from "#app/features/listings/device-thumbnail.tsx";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { statusLabels } from "#app/features/listings/status.rules.ts";
import {
  listSaved,
  type SavedListing,
  unsaveListing,
} from "#app/features/saved-listings/saved-listings.server.ts";
import { removedToast } from "#app/features/saved-listings/saved-states.ts";
import { DashboardTable } from "#app/features/tables/dashboard-table.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { HeartIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";
import { tableCursor } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Saved");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", menu: { label: "Saved" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [saved] = await Promise.all([
    listSaved(context.db, viewer, tableCursor(request)),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  return saved;
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const limitRefusal = await rateLimitRefusal(context, "save listing", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const phoneId = String((await readForm(request)).get("_id"));
  await unsaveListing(context.db, viewer, phoneId);
  // Also if it was removed before, as in another tab.
  return redirectWithToast(context, pathAndQuery(request), removedToast(phoneId));
});

export default function Saved() {
  const saved = useLoaderData<typeof loader>();
  return (
    <>
      <DashboardTable
        title="Saved"
        columns={[
          { label: "Device Name", longWords: true, onCard: "cell" },
          { label: "Status", onCard: "nothing" },
          { label: "Price", onCard: "nothing" },
          { label: "Action", onCard: "cell" },
        ]}
        table={saved}
        cells={(row) => [
          <Device key="device" row={row} />,
          statuses[row.status],
          <PriceThenAndNow key="price" row={row} />,
          <RowAction key="action" id={row.phoneId} target={nameOf(row)}>
            Remove
          </RowAction>,
        ]}
        empty={
          <EmptyState
            icon={<HeartIcon className="size-10" />}
            title="Nothing saved yet"
            text="Press the heart on a device to find it here again. We’ll tell you if the price drops, it sells, or it comes back."
          >
            <Link to="/products" className="btn btn-primary">
              Browse devices
            </Link>
          </EmptyState>
        }
      />
      <RecentlySeen className="mt-12" />
    </>
  );
}

type Row = Pick<SavedListing, "brandName" | "model">;

const statuses = { ...statusLabels, removed: "Removed" };

function nameOf({ brandName, model }: Row): string {
  return brandName ? `${brandName} ${model}` : "Deleted listing";
}

function Device({ row }: { row: Omit<SavedListing, "createdAt"> }) {
  return (
    <div className="flex items-center gap-3">
      <DeviceThumbnail picture={row} isLargeOnCard />
      <div className="min-w-0">
        {row.status === "removed" ? (
          <span className="text-quiet">{nameOf(row)}</span>
        ) : (
          <>
            <Link to={`/phones/${row.phoneId}`} className="link">
              {nameOf(row)}
            </Link>
            <p className="text-sm text-quiet">
              {row.ram} RAM, {row.rom}
            </p>
          </>
        )}
        <div className="md:hidden">
          {row.status !== "available" && <p className="text-sm font-medium">{statuses[row.status]}</p>}
          <PriceThenAndNow row={row} />
        </div>
      </div>
    </div>
  );
}

function PriceThenAndNow({
  row: { sellingCents, savedCents, status },
}: {
  row: Omit<SavedListing, "createdAt">;
}) {
  const saved = <p className="text-sm text-quiet">{priceLabel(savedCents)} when you saved it</p>;
  if (sellingCents === null) return saved;
  const difference = savedCents - sellingCents;
  return (
    <>
      <p className="font-semibold tabular-nums">{priceLabel(sellingCents)}</p>
      {difference !== 0 && status !== "sold" && (
        <p className={`text-sm ${difference > 0 ? "font-medium text-success" : "text-quiet"}`}>
          {priceLabel(Math.abs(difference))} {difference > 0 ? "less" : "more"} than when you saved it
        </p>
      )}
    </>
  );
}
