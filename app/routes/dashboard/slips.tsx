import type { LoaderFunctionArgs, MetaFunction, SerializeFrom } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { orderNumber } from "#app/features/orders/order-texts.ts";
import type { ToHandOver } from "#app/features/orders/to-hand-over.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FactRow } from "#app/ui/fact-row.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";

export const meta: MetaFunction = () => pageTitle("Labels and slips");

export const handle: RouteHandle = { access: "my sellings" };

const toHandOver = "/manage/mysells?tab=to+hand+over";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const ids = new URL(request.url).searchParams.getAll("id");
  const { findSlips } = await import("#app/features/orders/to-hand-over.server.ts");
  return { ...(await findSlips(context.db, viewer, ids)), seller: viewer.name };
});

export default function Slips() {
  const { slips, leftOut, seller } = useLoaderData<typeof loader>();
  const hydrated = useHydrated();
  return (
    <div className="max-w-3xl">
      <div className="print:hidden">
        <BackLink to={toHandOver}>To hand over</BackLink>
        <h1 className="mb-6 text-3xl font-semibold">Labels and slips</h1>
        {leftOut.map((text) => (
          <p key={text} className="mb-3">
            {text}
          </p>
        ))}
        {slips.length === 0 ? (
          <p>Choose at least one device that you still have to hand over.</p>
        ) : hydrated ? (
          <button type="button" onClick={() => window.print()} className="btn btn-primary mb-8">
            Print
          </button>
        ) : (
          <p className="mb-8">Print this page from your browser’s menu.</p>
        )}
      </div>
      {slips.map((order) => (
        <Slip key={order.id} order={order} seller={seller} />
      ))}
    </div>
  );
}

/** A page for one parcel: the address to put on it, and the slip to put in it. */
function Slip({ order, seller }: { order: SerializeFrom<ToHandOver>; seller: string }) {
  const { dayLabel } = useDateLabels();
  return (
    <article
      aria-label={order.productName}
      className="mb-10 break-after-page rounded-box border border-base-300 p-6 last:break-after-auto"
    >
      <p className="text-sm">From: {seller}</p>
      <p className="mt-4 min-h-32 text-xl whitespace-pre-line wrap-anywhere">{order.recipient}</p>
      <h2 className="mt-6 border-t border-dashed border-base-content pt-6 text-xl font-semibold">
        {brand.name} order {orderNumber(order.id)}
      </h2>
      <dl className="mt-2">
        <FactRow term="Device">{order.productName}</FactRow>
        <FactRow term="Storage">{`${order.ram} ${order.rom}`}</FactRow>
        {order.ownNumber && <FactRow term="Own number (SKU)">{order.ownNumber}</FactRow>}
        <FactRow term="Price">{priceLabel(order.priceCents)}</FactRow>
        {order.refundCents > 0 && <FactRow term="Refund">{priceLabel(order.refundCents)}</FactRow>}
        <FactRow term="Ordered">{dayLabel(order.createdAt)}</FactRow>
        <FactRow term="Seller">{seller}</FactRow>
      </dl>
    </article>
  );
}
