import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { refusalOf } from "#app/features/bookings/booking.rules.ts";
import { bookingSchema } from "#app/features/bookings/booking.schema.ts";
import { BookingForm } from "#app/features/bookings/booking-form.tsx";
import { BookingRefusal } from "#app/features/bookings/booking-refusal.tsx";
import { bookPhone, foreseeRefusal } from "#app/features/bookings/bookings.server.ts";
import { findPhone } from "#app/features/phones/phones.server.ts";
import { shelfAt } from "#app/features/phones/shelf.rules.ts";
import { redirectWithToast } from "#app/platform/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/platform/forms.server.ts";
import { pageTitle } from "#app/platform/page-title.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { requireViewer } from "../guard.server.ts";
import { useShelfAddress } from "./shelf-address.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Book ${data.phone.brandName} ${data.phone.model}` : "Book");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  const phone = await findPhone(context.db, params.phoneId ?? "");
  if (!phone) throw new Response("There is no such phone.", { status: 404 });
  return { viewer, phone, refusal: await foreseeRefusal(context.db, viewer, phone) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(context, request);
  const submission = parseForm(await readForm(request), bookingSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const outcome = await bookPhone(context.db, viewer, params.phoneId ?? "", submission.value);
  if (outcome === "unknown phone") throw data("There is no such phone.", { status: 404 });
  if (outcome !== "booked") {
    return invalidForm(submission, { status: 409, formErrors: [refusalOf(outcome)] });
  }
  const { pathname, search } = new URL(request.url);
  return redirectWithToast(context, shelfAt(pathname).path + search, {
    kind: "success",
    message: "Your booking successful",
  });
}

/** Also after a refused post, which may mean that the phone is gone. */
export const shouldRevalidate = ({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formMethod ? true : defaultShouldRevalidate;

export default function BookingDialog() {
  const { viewer, phone, refusal } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { list } = useShelfAddress();
  return (
    <Dialog title={`${phone.brandName} ${phone.model}`} closeTo={list}>
      {refusal ? (
        <BookingRefusal refusal={refusal} listPath={list} />
      ) : (
        <BookingForm phone={phone} buyer={viewer} lastResult={answer?.result} />
      )}
    </Dialog>
  );
}
