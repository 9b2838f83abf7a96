import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { parcelServiceNames } from "#app/parcel-services.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { ConfirmedValues, Field, FormErrors, SelectField, TextAreaField } from "#app/ui/field.tsx";
import { resultOfForm } from "#app/ui/result-of.ts";
import { quietButton } from "#app/ui/row-action.tsx";
import { UndoButton } from "#app/ui/undo-button.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { cancellationSchema, handoverSchema } from "./booking.schema.ts";
import type { Parcel } from "./order.rules.ts";
import {
  type ActedOn,
  intentTexts,
  isWayOut,
  type OrderIntent,
  undoCancellationText,
} from "./order-texts.ts";

const mainButton = "btn-primary w-full";
const wideButton = "btn-outline w-full";
/** Beside the receipt, that leads. */
const approveButton = (stage: ActedOn["stage"]) => (stage === "received" ? wideButton : "btn-outline btn-sm");
/** Of buttons that ask nothing first; the others are quiet. */
const classNames: Partial<Record<OrderIntent, string>> = {
  receive: mainButton,
  "allow rebooking": wideButton,
};

/**
 * A button with an explanation for each allowed intent.
 *
 * @param handedOver shows the seller what is done, where its button was: no other button moves there
 * @param undoId of the viewer's cancellation, as long as they can undo it
 */
export function OrderActions({
  order,
  intents,
  handedOver,
  undoId = null,
  result,
  asked,
}: {
  order: ActedOn;
  intents: OrderIntent[];
  handedOver: string | null;
  undoId?: string | null;
  result: SubmissionResult<string[]> | undefined;
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
            <HandOverForm
              shown="reserved"
              lastResult={resultOfForm(result, "hand over")}
              asked={resultOfForm(result, "hand over") && asked}
            />
            <p className="mt-1.5 text-sm text-quiet">{intentTexts[intent].hint()}</p>
          </li>
        ) : intent === "cancel" && order.stage !== "reserved" ? (
          <li key={intent}>
            <CancelForm lastResult={resultOfForm(result, "cancel")} />
            <p className="mt-1.5 text-sm text-quiet">{intentTexts.cancel.hint(order)}</p>
          </li>
        ) : (
          <li key={intent}>
            {intent === "cancel" && order.role === "administrator" ? (
              <ConfirmPopover
                id="cancel-order"
                label={intentTexts.cancel.label}
                className={quietButton}
                question="Cancel this order?"
                text={`The buyer and the seller are told. ${intentTexts.cancel.hint(order)}`}
                cancel="Keep it"
              >
                <IntentForm intent={intent} className="btn-error" />
              </ConfirmPopover>
            ) : intent === "given back" ? (
              <ConfirmPopover
                id="given-back"
                label={intentTexts[intent].label}
                className={mainButton}
                question="Do you have the device back?"
                text={`The buyer gets ${priceLabel(order.payment?.leftCents ?? 0)} back at once. You can’t undo this.`}
                cancel="Not yet"
              >
                <IntentForm intent={intent} className="btn-primary" />
              </ConfirmPopover>
            ) : (
              <IntentForm
                intent={intent}
                className={
                  intent === "approve"
                    ? approveButton(order.stage)
                    : isWayOut(order, intent)
                      ? wideButton
                      : (classNames[intent] ?? quietButton)
                }
              />
            )}
            <p className="mt-1.5 text-sm text-quiet">{intentTexts[intent].hint(order)}</p>
          </li>
        ),
      )}
      {undoId && (
        <li>
          <UndoButton id={undoId} label={undoCancellationText.label} className="btn-outline btn-sm" />
          <p className="mt-1.5 text-sm text-quiet">{undoCancellationText.hint}</p>
        </li>
      )}
    </ul>
  );
}

function IntentForm({ intent, className }: { intent: OrderIntent; className: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton pending={{ intent }} className={className}>
        {intentTexts[intent].label}
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
          {intentTexts.cancel.label}
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
  label = intentTexts["hand over"].label,
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
                  options={parcelServiceNames}
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
