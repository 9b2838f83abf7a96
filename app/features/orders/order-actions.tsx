import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { OrderStage, ReviewRole } from "#app/db/enums.ts";
import { daysLabel, market, orderDeadlines, paymentTerms, undoMinutes } from "#app/market.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { ConfirmedValues, Field, FormErrors, SelectField, TextAreaField } from "#app/ui/field.tsx";
import { quietButton } from "#app/ui/row-action.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { cancellationSchema, handoverSchema } from "./booking.schema.ts";
import type { OrderIntent, OrderRole, Parcel } from "./order.rules.ts";
import { stepLabel } from "./order-texts.ts";

interface ActedOn {
  role: OrderRole;
  stage: OrderStage;
  /** The side that has left. */
  gone: ReviewRole | null;
  /** Whether the seller’s account is suspended. */
  isSellerSuspended: boolean;
  /** Whether a cancellation before the handover lists the device again. */
  goesBackOnSale: boolean;
  /** Whether the viewer can undo it if they cancel, or mark it as received. */
  canUndoCancelling: boolean;
  canUndoReceipt: boolean;
  /** Whether moderators ended it because it was not paid. */
  isUnpaid: boolean;
}

const handOverHint = "Once the device is with the buyer or in the mail. After that, they can’t cancel.";

const buttons: Record<
  Exclude<OrderIntent, "hand over">,
  { label: string; hint: (order: ActedOn) => string; done: string; className: string }
> = {
  "undo handover": {
    label: "Undo the handover",
    hint: () =>
      `Not with the buyer yet? You can undo this for ${undoMinutes} minutes, once. The device is reserved again then.`,
    done: "The device is reserved again",
    className: quietButton,
  },
  receive: {
    label: "Mark as received",
    hint: ({ canUndoReceipt }) =>
      `Once it has arrived and it’s as described. This completes the order.${canUndoReceipt ? ` You can undo it for ${undoMinutes} minutes, unless there’s a review or a problem.` : ""}`,
    done: "Marked as received",
    className: "btn-primary w-full",
  },
  approve: {
    label: "Everything’s fine, pay the seller",
    hint: ({ stage }) =>
      `${stage === "received" ? "Happy with it?" : "You have it, and it’s as described."} We pay the seller in ${undoMinutes} minutes; until then, you can undo this.`,
    done: "Thanks! We’ll pay the seller",
    className: "btn-outline w-full",
  },
  "undo approval": {
    label: "Don’t pay the seller yet",
    hint: () =>
      `You can undo this for ${undoMinutes} minutes. We pay the seller ${daysLabel(paymentTerms.releaseDays)} after you got it, then.`,
    done: "We’ll wait with paying the seller",
    className: quietButton,
  },
  "undo receipt": {
    label: "Undo “received”",
    hint: () => `Don’t have it yet? You can undo this for ${undoMinutes} minutes, once.`,
    done: "The order isn’t complete: mark it as received once you have the device",
    className: quietButton,
  },
  extend: {
    label: "Give more time",
    hint: ({ role }) =>
      `They get ${orderDeadlines[role === "seller" ? "handed over" : "reserved"].extensionDays} more days. You can do this once.`,
    done: stepLabel("extended"),
    className: quietButton,
  },
  cancel: {
    label: "Cancel order",
    hint: (order) => {
      const isMark = order.role === "seller" && order.stage === "reserved" && !order.gone;
      return [
        cancelledText(order),
        ...(order.canUndoCancelling ? [`You can undo this for ${undoMinutes} minutes.`] : []),
        ...(isMark ? [cancelForBuyerHint] : []),
      ].join(" ");
    },
    done: "Order Cancelled",
    className: quietButton,
  },
  "allow rebooking": {
    label: "Let them book again",
    hint: ({ isUnpaid }) =>
      isUnpaid
        ? "They didn’t pay, so they can’t book your devices or make you offers. Let them again?"
        : "Buyers who cancel or don’t pay have to wait before they can book the same device again. Let this one book it now?",
    done: "The buyer can book again",
    className: "btn-outline w-full",
  },
};

/** Buyers of a suspended seller may have nothing else to do. */
export const isWayOut = (
  { role, isSellerSuspended }: Pick<ActedOn, "role" | "isSellerSuspended">,
  intent: OrderIntent,
) => intent === "cancel" && role === "buyer" && isSellerSuspended;

function cancelledText({ role, stage, isSellerSuspended, goesBackOnSale }: ActedOn): string {
  if (stage === "reserved" && isSellerSuspended)
    return role === "buyer"
      ? "It doesn’t count against you."
      : "The listing stays hidden during the suspension.";
  if (stage === "reserved")
    return goesBackOnSale ? "The device goes back on sale." : "The listing stays hidden.";
  return `The listing stays hidden until ${role === "seller" ? "you list" : "the seller lists"} it again.`;
}

const cancelForBuyerHint =
  "If the buyer wants out, ask them to cancel: it doesn’t count in your record then.";

/** What the page says once a step is done. */
export function doneMessage(intent: OrderIntent, isShipped: boolean): string {
  if (intent !== "hand over") return buttons[intent].done;
  return isShipped ? "Marked as shipped" : "Marked as handed over";
}

/**
 * A button with an explanation for each allowed intent.
 *
 * @param handedOver shows the seller what is done, where its button was: no other button moves there
 */
export function OrderActions({
  order,
  intents,
  handedOver,
  lastResult,
  asked,
}: {
  order: ActedOn;
  intents: OrderIntent[];
  handedOver: string | null;
  lastResult: SubmissionResult<string[]> | undefined;
  asked?: string[] | undefined;
}) {
  return (
    <ul className="grid gap-5">
      {handedOver && (
        <li>
          <p className="btn pointer-events-none w-full border-base-300 bg-base-200">{handedOver}</p>
          <p className="mt-1.5 text-sm text-quiet">The buyer can’t cancel anymore.</p>
        </li>
      )}
      {intents.map((intent) =>
        intent === "hand over" ? (
          <li key={intent}>
            <HandOverForm shown="reserved" lastResult={lastResult} asked={asked} />
            <p className="mt-1.5 text-sm text-quiet">{handOverHint}</p>
          </li>
        ) : intent === "cancel" && order.stage !== "reserved" ? (
          <li key={intent}>
            <CancelForm lastResult={lastResult} />
            <p className="mt-1.5 text-sm text-quiet">{buttons.cancel.hint(order)}</p>
          </li>
        ) : (
          <li key={intent}>
            {intent === "cancel" && order.role === "administrator" ? (
              <ConfirmPopover
                id="cancel-order"
                label={buttons.cancel.label}
                className={buttons.cancel.className}
                question="Cancel this order?"
                text={`The buyer and the seller are told. ${buttons.cancel.hint(order)}`}
                cancel="Keep it"
              >
                <IntentForm intent={intent} className="btn-error" />
              </ConfirmPopover>
            ) : (
              <IntentForm
                intent={intent}
                className={isWayOut(order, intent) ? "btn-outline w-full" : buttons[intent].className}
              />
            )}
            <p className="mt-1.5 text-sm text-quiet">{buttons[intent].hint(order)}</p>
          </li>
        ),
      )}
    </ul>
  );
}

function IntentForm({ intent, className }: { intent: keyof typeof buttons; className: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton pending={{ intent }} className={className}>
        {buttons[intent].label}
      </SubmitButton>
    </Form>
  );
}

/** An administrator's form to cancel after the handover. */
function CancelForm({ lastResult }: { lastResult: SubmissionResult<string[]> | undefined }) {
  const [form, fields] = useSchemaForm(cancellationSchema, { id: "cancel", lastResult });
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-4">
      <input type="hidden" name="intent" value="cancel" />
      <FormErrors form={form} labels={{ reason: "Reason" }} />
      <TextAreaField field={fields.reason} label="Reason" rows={3} hint="The buyer and the seller read it." />
      <p>
        <SubmitButton pending={{ intent: "cancel" }} className={quietButton}>
          {buttons.cancel.label}
        </SubmitButton>
      </p>
    </Form>
  );
}

/**
 * The seller's form to say that the device is on its way or with the buyer, or to correct that.
 *
 * @param shown what it begins with, see `shownHandover`
 */
export function HandOverForm({
  shown,
  parcel = null,
  label = "Mark as handed over",
  lastResult,
  asked,
}: {
  shown: string;
  parcel?: Parcel | null;
  label?: string;
  lastResult: SubmissionResult<string[]> | undefined;
  /** What was asked about and is confirmed by submitting it again. */
  asked: string[] | undefined;
}) {
  const [form, fields] = useSchemaForm(handoverSchema, {
    id: "hand-over",
    lastResult,
    defaultValue: parcel ? { handover: "shipped", ...parcel } : { handover: "in person" },
  });
  const labels = { handover: "How", parcelService: "Delivered by", trackingNumber: "Tracking number" };
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-4">
      <input type="hidden" name="intent" value="hand over" />
      <input type="hidden" name="shown" value={shown} />
      {/* After a refusal, to the table that it was sent from. */}
      <input type="hidden" name="redirectTo" value={fields.redirectTo.initialValue ?? ""} />
      <ConfirmedValues asked={asked} />
      <FormErrors form={form} labels={labels} />
      <ChoiceField
        field={fields.handover}
        label="How does the buyer get it?"
        choices={[
          { value: "in person", label: "In person" },
          {
            value: "shipped",
            label: "Shipped",
            fields: (
              <div className="grid gap-4">
                <SelectField
                  field={fields.parcelService}
                  label={labels.parcelService}
                  options={market.parcelServices}
                />
                <Field
                  field={fields.trackingNumber}
                  label={`${labels.trackingNumber} (optional)`}
                  autoComplete="off"
                  hint="We send it to the buyer. You can also add it later."
                />
              </div>
            ),
          },
        ]}
      />
      <SubmitButton pending={{ intent: "hand over" }} className="btn-primary w-full">
        {label}
      </SubmitButton>
    </Form>
  );
}
