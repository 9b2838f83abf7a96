import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser, sessionIdOf } from "#app/auth/guard.server.ts";
import { pathBehindDialog, useDialogPaths } from "#app/features/catalog/dialog-paths.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { bookingFormSchema } from "#app/features/orders/booking.schema.ts";
import { bookListing, findBookingTerms } from "#app/features/orders/booking.server.ts";
import { BookingForm, BookingRefusalNotice } from "#app/features/orders/booking-form.tsx";
import { bookingRefusalText } from "#app/features/orders/booking-refusal.ts";
import { offerText } from "#app/features/orders/offer.rules.ts";
import { findOwnOffer } from "#app/features/orders/offers.server.ts";
import { bookedToast } from "#app/features/orders/order-texts.ts";
import { findOwnBooking, lastDelivery } from "#app/features/orders/orders.server.ts";
import {
  addSavedAddress,
  chosenDelivery,
  listAddresses,
} from "#app/features/orders/saved-addresses.server.ts";
import { bookingPayment } from "#app/features/payments/payment-texts.ts";
import { hasProvider, paymentPromiseOf } from "#app/features/payments/provider.ts";
import { ErrorDialog } from "#app/frame/error-dialog.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { keepIsoTime } from "#app/time.ts";
import { Dialog } from "#app/ui/dialog.tsx";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(errorTitle(error) ?? (data ? `Book ${data.phone.brandName} ${data.phone.model}` : "Book"));

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", crawled: false, dialog: true };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "book");
  const phoneId = params.phoneId ?? "";
  const [phone, { refusal, priceCents }, delivery, addresses] = await Promise.all([
    findPublishedListing(context.db, phoneId),
    findBookingTerms(context.db, viewer, phoneId, context.environment),
    lastDelivery(context.db, viewer),
    listAddresses(context.db, viewer),
  ]);
  if (!phone) throw notFound();
  const { brandName, model, ram, rom, sellingCents, delivery: ways, image, cover, deviceType } = phone;
  const isWaiting = refusal?.reason === "cancelled recently";
  const { open } = isWaiting ? await findOwnOffer(context.db, viewer, phoneId) : { open: null };
  const sessionId = refusal?.reason === "reserved" ? await sessionIdOf(context, request) : null;
  const own = sessionId ? await findOwnBooking(context.db, sessionId, phoneId) : null;
  return {
    phone: {
      id: phoneId,
      brandName,
      model,
      ram,
      rom,
      sellingCents: priceCents ?? sellingCents,
      delivery: ways,
      image,
      cover,
      deviceType,
    },
    listedCents: sellingCents,
    buyer: { name: viewer.name, email: viewer.email },
    delivery,
    addresses,
    ...bookingPayment(paymentPromiseOf(context.environment, phone)),
    refusal,
    /** Of a reserved device: why the buyer couldn’t book it if it were free again; see `withTimes`. */
    waitText: own?.waitText ?? null,
    /** Says, as the listing does, until when an agreed price holds for a buyer who has to wait; see `withTimes`. */
    agreedText: open?.state === "accepted" ? offerText(open, keepIsoTime) : null,
  };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "book");
  const form = await readForm(request);
  // Without a choice, it doesn’t matter how the listing is delivered.
  const phone = form.has("savedAddress")
    ? await findPublishedListing(context.db, params.phoneId ?? "")
    : undefined;
  if (phone === null) throw notFound();
  const submission = parseForm(form, bookingFormSchema(phone?.delivery ?? null));
  if (submission.status !== "success") return invalidForm(submission);
  const early = await formRefusal({ context, request, viewer, form }, "book");
  if (early) return invalidForm(submission, early);
  const { shownCents, saveAddress: isToSave, ...entered } = submission.value;
  const details = await chosenDelivery(context.db, viewer, entered);
  if (!details) {
    return invalidForm(submission, { status: 409, fieldErrors: { savedAddress: [addressGone] } });
  }
  const { refusal, orderId } = await bookListing(context.db, viewer, params.phoneId ?? "", details, {
    shownCents,
    limits: context.environment,
    hasProvider: hasProvider(context.environment),
  });
  if (refusal?.reason === "unknown phone") throw notFound();
  if (refusal) return invalidForm(submission, { status: 409, formErrors: [bookingRefusalText(refusal)] });
  if (isToSave && details.address) await addSavedAddress(context.db, viewer, details);
  const { pathname, search } = new URL(request.url);
  const booked = new URLSearchParams({ booked: pathBehindDialog(pathname) + search });
  const order = `/manage/orders/${orderId}?${booked}`;
  // Loaded on demand: few requests need it.
  const paying = hasProvider(context.environment)
    ? await (await import("../dashboard/pay-order.server.ts")).payOrder(
        { context, request, viewer },
        orderId,
        order,
      )
    : null;
  return paying ?? redirectWithToast(context, order, bookedToast);
});

const addressGone = "You’ve deleted this address. Pick another one.";

export default function BookingDialog() {
  const { buyer, phone, listedCents, delivery, addresses, isProtected, paymentLines, refusal, ...texts } =
    useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const { behind } = useDialogPaths();
  return (
    <Dialog title={`${phone.brandName} ${phone.model}`} closeTo={behind}>
      {refusal ? (
        <BookingRefusalNotice
          phoneId={phone.id}
          refusal={refusal}
          waitText={texts.waitText}
          agreedText={texts.agreedText}
          wasSubmitted={actionData !== undefined}
          backTo={behind}
        />
      ) : (
        <BookingForm
          phone={phone}
          listedCents={listedCents}
          buyer={buyer}
          delivery={delivery}
          addresses={addresses}
          isProtected={isProtected}
          paymentLines={paymentLines}
          lastResult={actionData?.result}
        />
      )}
    </Dialog>
  );
}

export function ErrorBoundary() {
  const { behind } = useDialogPaths();
  return <ErrorDialog closeTo={behind} />;
}
