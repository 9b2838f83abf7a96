import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useListAddress } from "#app/features/catalog/list-address.ts";
import { priceLabel } from "#app/features/phones/money.rules.ts";
import { PhoneFacts } from "#app/features/phones/phone-facts.tsx";
import { findPhone } from "#app/features/phones/phones.server.ts";
import { priceHistory } from "#app/features/phones/price-history.server.ts";
import { PriceHistory } from "#app/features/phones/price-history.tsx";
import { withOutagePage } from "#app/platform/outage.server.ts";
import { errorTitle, pageTitle } from "#app/platform/page-title.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { notFound } from "../guard.server.ts";
import type { RouteHandle } from "../route-handle.ts";
import { ErrorDialog } from "../site/error-pages.tsx";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data
    ? pageTitle(
        `${data.phone.brandName} ${data.phone.model}`,
        `A used ${data.phone.brandName} ${data.phone.model} with ${data.phone.rom}, from its owner, ${priceLabel(data.phone.sellingCents)}.`,
      )
    : pageTitle(errorTitle(error) ?? "Details");

export const handle: RouteHandle = { dialog: true };

export const loader = withOutagePage(async ({ params, context }: LoaderFunctionArgs) => {
  // Public.
  const [phone, prices] = await Promise.all([
    findPhone(context.db, params.phoneId ?? ""),
    priceHistory(context.db, params.phoneId ?? ""),
  ]);
  if (!phone) throw notFound();
  return { phone, prices };
});

export default function DetailsDialog() {
  const { phone, prices } = useLoaderData<typeof loader>();
  const { list, dialogs } = useListAddress();
  return (
    <Dialog title={`${phone.brandName} ${phone.model}`} closeTo={list}>
      <PhoneFacts phone={phone} />
      {prices.length > 1 && (
        <div className="mt-6">
          <PriceHistory prices={prices} />
        </div>
      )}
      {phone.status === "available" && (
        <Link to={dialogs(phone.id).book} preventScrollReset className="btn btn-primary mt-6 w-full">
          Buy Now
        </Link>
      )}
    </Dialog>
  );
}

/** The list stays behind the dialog that says what went wrong. */
export function ErrorBoundary() {
  const { list } = useListAddress();
  return <ErrorDialog closeTo={list} />;
}
