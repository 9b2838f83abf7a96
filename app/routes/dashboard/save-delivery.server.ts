import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { bookingSchema } from "#app/features/orders/booking.schema.ts";
import { changeDelivery } from "#app/features/orders/order-steps.server.ts";
import { orderRefusals } from "#app/features/orders/order-texts.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";

/** Handles the form of an order page that changes where the order is sent. */
export async function saveDelivery(posted: PostedForm, orderId: string) {
  const { context, request, viewer, form } = posted;
  const submission = parseForm(form, bookingSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "change delivery");
  if (refusal) return invalidForm(submission, refusal);
  const outcome = await changeDelivery(context.db, viewer, orderId, submission.value);
  if (outcome.refusal === "not found") throw notFound();
  return redirectWithToast(
    context,
    pathAndQuery(request),
    outcome.refusal
      ? { kind: "error", message: orderRefusals[outcome.refusal] }
      : { kind: "success", message: "Delivery details saved" },
  );
}
