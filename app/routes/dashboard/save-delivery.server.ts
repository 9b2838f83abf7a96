import type { AppLoadContext } from "@remix-run/cloudflare";
import { accountChangeRefusal } from "#app/features/accounts/account-access.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { bookingSchema } from "#app/features/orders/booking.schema.ts";
import { deliveryRefusalText } from "#app/features/orders/order.rules.ts";
import { changeDelivery } from "#app/features/orders/order-steps.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

/** Handles the form of an order page that changes where the order is sent. */
export async function saveDelivery({
  context,
  request,
  viewer,
  orderId,
  form,
}: {
  context: AppLoadContext;
  request: Request;
  viewer: Viewer;
  orderId: string;
  form: FormData;
}) {
  const submission = parseForm(form, bookingSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal =
    accountChangeRefusal(form, viewer) ?? (await rateLimitRefusal(context, "change delivery", request));
  if (refusal) return invalidForm(submission, refusal);
  const outcome = await changeDelivery(context.db, viewer, orderId, submission.value);
  if (!outcome) throw notFound();
  return redirectWithToast(
    context,
    pathAndQuery(request),
    outcome.done
      ? { kind: "success", message: "Delivery details saved" }
      : { kind: "error", message: deliveryRefusalText(outcome.order) },
  );
}
