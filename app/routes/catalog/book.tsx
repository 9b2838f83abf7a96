import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { refusalOf } from "#app/features/bookings/booking.rules.ts";
import { bookingSchema } from "#app/features/bookings/booking.schema.ts";
import { BookingForm } from "#app/features/bookings/booking-form.tsx";
import { BookingRefusal } from "#app/features/bookings/booking-refusal.tsx";
import { bookPhone, foreseeRefusal } from "#app/features/bookings/bookings.server.ts";
import { useListAddress } from "#app/features/catalog/list-address.ts";
import { categoryAt } from "#app/features/phones/category.rules.ts";
import { findPhone } from "#app/features/phones/phones.server.ts";
import { redirectWithToast } from "#app/platform/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/platform/forms.server.ts";
import { overLimit, withinLimit } from "#app/platform/limits.server.ts";
import { withOutagePage } from "#app/platform/outage.server.ts";
import { errorTitle, pageTitle } from "#app/platform/page-title.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { notFound, requireUser } from "../guard.server.ts";
import type { RouteHandle } from "../route-handle.ts";
import { ErrorDialog } from "../site/error-pages.tsx";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(errorTitle(error) ?? (data ? `Book ${data.phone.brandName} ${data.phone.model}` : "Book"));

export { actionHeaders as headers } from "#app/platform/action-headers.ts";

export const handle: RouteHandle = { dialog: true };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const phoneId = params.phoneId ?? "";
  const [phone, refusal] = await Promise.all([
    findPhone(context.db, phoneId),
    foreseeRefusal(context.db, viewer, phoneId),
  ]);
  if (!phone) throw notFound();
  const { brandName, model, ram, rom, sellingCents } = phone;
  return {
    phone: { brandName, model, ram, rom, sellingCents },
    buyer: { name: viewer.name, email: viewer.email },
    refusal,
  };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const submission = parseForm(await readForm(request), bookingSchema);
  if (submission.status !== "success") return invalidForm(submission);
  if (!(await withinLimit(context, "BOOKING_LIMIT", request))) {
    return invalidForm(submission, overLimit("BOOKING_LIMIT"));
  }
  const { refusal } = await bookPhone(context.db, viewer, params.phoneId ?? "", submission.value);
  if (refusal === "unknown phone") throw notFound();
  if (refusal) return invalidForm(submission, { status: 409, formErrors: [refusalOf(refusal)] });
  const { pathname, search } = new URL(request.url);
  return redirectWithToast(context, categoryAt(pathname).path + search, {
    kind: "success",
    message: "Your booking successful",
  });
});

export default function BookingDialog() {
  const { buyer, phone, refusal } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { list } = useListAddress();
  return (
    <Dialog title={`${phone.brandName} ${phone.model}`} closeTo={list}>
      {refusal ? (
        <BookingRefusal refusal={refusal} listPath={list} />
      ) : (
        <BookingForm phone={phone} buyer={buyer} lastResult={answer?.result} />
      )}
    </Dialog>
  );
}

/** The list stays behind the dialog that says what went wrong. */
export function ErrorBoundary() {
  const { list } = useListAddress();
  return <ErrorDialog closeTo={list} />;
}
