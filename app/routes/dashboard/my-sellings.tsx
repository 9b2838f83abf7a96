import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { isUnverifiedSeller } from "#app/features/accounts/accounts.server.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { DraftList } from "#app/features/listings/add-phone-form.tsx";
import { listDrafts } from "#app/features/listings/drafts.server.ts";
import { listSellings } from "#app/features/listings/listing-tables.server.ts";
import { SellingsTable } from "#app/features/listings/sellings-table.tsx";
import { buyersOfOrders } from "#app/features/reviews/buyer-record.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { handleRemoveListing, tableCursor } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("My Sellings");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "my sellings", menu: { label: "My Sells" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const [sellings, isUnverified, drafts] = await Promise.all([
    listSellings(context.db, viewer, tableCursor(request)),
    isUnverifiedSeller(context.db, viewer),
    listDrafts(context.db, viewer),
  ]);
  const reserved = sellings.rows.filter(({ status }) => status === "reserved");
  const ids = reserved.flatMap(({ orderId }) => orderId ?? []);
  const buyerRecords = await buyersOfOrders(context.db, viewer, ids);
  return {
    ...sellings,
    buyerRecords,
    isUnverified,
    isSuspended: isSuspended(viewer),
    drafts,
    account: viewer.email,
  };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  return handleRemoveListing(context, request, viewer, await readForm(request));
});

export default function MySellings() {
  const { isUnverified, isSuspended, drafts, account, buyerRecords, ...sellings } =
    useLoaderData<typeof loader>();
  const isHeld = sellings.rows.some(({ hiddenBy }) => hiddenBy === "hold");
  return (
    <SellingsTable
      action={
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Link to="/manage/mysells/numbers" className="link py-2">
            Listing statistics
          </Link>
          {!isSuspended && (
            <Link to="/addphone" className="btn btn-primary">
              Add a phone
            </Link>
          )}
        </div>
      }
      notice={
        !isSuspended && (
          <>
            {isUnverified && <VerificationNotice isHeld={isHeld} />}
            <DraftList drafts={drafts} account={account} />
          </>
        )
      }
      listings={sellings}
      buyerRecords={buyerRecords}
      empty={
        <EmptyState
          icon={<PhoneIcon className="size-10" />}
          title="Nothing for sale yet"
          text={
            isSuspended
              ? "You can’t publish while your account is suspended."
              : "List a phone or tablet for sale. It takes two minutes."
          }
        />
      }
    />
  );
}

/** @param isHeld whether a listing of theirs waits for approval */
function VerificationNotice({ isHeld }: { isHeld: boolean }) {
  return (
    <p className="mb-6 max-w-prose rounded-box bg-base-200 px-4 py-3">
      <strong className="font-semibold">You’re not verified yet.</strong> We check every new seller, so you
      don’t need to apply.{" "}
      {isHeld ? "Your first listing goes on sale once we’ve approved it" : "You can publish in the meantime"}.
      Once you’re verified, your listings say so. Been waiting a while?{" "}
      <Link to="/report" className="link">
        Write to us
      </Link>
      .
    </p>
  );
}
