import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useDialogPaths } from "#app/features/catalog/dialog-paths.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { PhoneFacts } from "#app/features/listings/phone-facts.tsx";
import { findPhone } from "#app/features/listings/phones.server.ts";
import { priceHistory } from "#app/features/listings/price-history.server.ts";
import { PriceHistory } from "#app/features/listings/price-history.tsx";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { ErrorDialog } from "../pages/error-pages.tsx";
import type { RouteHandle } from "../route-handle.ts";

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
  const { behind, dialogs } = useDialogPaths();
  return (
    <Dialog title={`${phone.brandName} ${phone.model}`} closeTo={behind}>
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

export function ErrorBoundary() {
  const { behind } = useDialogPaths();
  return <ErrorDialog closeTo={behind} />;
}
