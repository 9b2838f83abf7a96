import type { SubmissionResult } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { tableKey } from "#app/db/cursor.ts";
import { isOpenOffer, offersPath } from "#app/features/orders/offer.rules.ts";
import { OfferList } from "#app/features/orders/offer-view.tsx";
import { listOffers } from "#app/features/orders/offers.server.ts";
import { buyersInConversations } from "#app/features/reviews/buyer-record.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { offerTerms } from "#app/market.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { TagIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";
import { tableCursor } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Offers");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", menu: { label: "Offers", counts: "offers" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [offers] = await Promise.all([
    listOffers(context.db, viewer, tableCursor(request, tableKey)),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  const ids = offers.rows.map(({ conversationId }) => conversationId);
  const buyerRecords = await buyersInConversations(context.db, viewer, [...new Set(ids)]);
  return { ...offers, buyerRecords, account: viewer.email, formKey: crypto.randomUUID() };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const { handleOffer } = await import("../handle-offer.server.ts");
  return handleOffer({ context, request, viewer, form });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Offers() {
  const { rows, previous, next, isFirstPage, buyerRecords, account, formKey } =
    useLoaderData<typeof loader>();
  const { result, asked } = useActionData<{ result?: SubmissionResult<string[]>; asked?: string[] }>() ?? {};
  const sections = [
    {
      title: "Offers for your devices",
      offers: rows.filter((row) => isOpenOffer(row) && row.role === "seller"),
    },
    { title: "Your offers", offers: rows.filter((row) => isOpenOffer(row) && row.role === "buyer") },
    { title: "Earlier offers", offers: rows.filter((row) => !isOpenOffer(row)) },
  ].filter(({ offers }) => offers.length > 0);
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Offers</h1>
      <p className="mb-6 max-w-prose text-pretty text-quiet">
        Offers stay open for {offerTerms.answerHours} hours. Once one is accepted, the price holds for{" "}
        {offerTerms.bookingHours} hours. The device stays on sale, so the first to book gets it.
      </p>
      <ActionError />
      <div className="grid gap-10">
        {sections.map(({ title, offers }) => (
          <section key={title} aria-label={title}>
            <h2 className="mb-4 text-xl font-semibold">{title}</h2>
            <OfferList
              offers={offers}
              buyerRecords={buyerRecords}
              forms={{ account, formKey, result, asked }}
            />
          </section>
        ))}
      </div>
      {sections.length === 0 && (isFirstPage ? <NoOffers /> : <EmptyPage firstPage={offersPath} />)}
      <CursorPager path={offersPath} previous={previous} next={next} />
    </>
  );
}

function NoOffers() {
  return (
    <EmptyState
      icon={<TagIcon className="size-10" />}
      title="No offers yet"
      text="Found a device you like? Choose “Make an offer” on its page. Offers for your own devices show up here too."
    >
      <Link to="/products" className="btn btn-primary">
        Browse devices
      </Link>
    </EmptyState>
  );
}
