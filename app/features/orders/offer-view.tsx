import { getFormProps, type SubmissionResult } from "@conform-to/react";
import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { offerTerms } from "#app/market.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { ActionError, formErrorsOf } from "#app/ui/error-box.tsx";
import { ConfirmedValues, Field, FormErrors, TextAreaField } from "#app/ui/field.tsx";
import { Link } from "#app/ui/link.tsx";
import { MissingFormError } from "#app/ui/missing-form-error.tsx";
import { quietButton } from "#app/ui/row-action.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { conversationPath, hasQuestion } from "../messages/message.rules.ts";
import { type BuyerRecord, BuyerRecordText } from "../reviews/buyer-record.tsx";
import {
  type OfferIntent,
  type OfferRefusal,
  offerRange,
  offerRefusalTexts,
  offerText,
} from "./offer.rules.ts";
import { offerFormSchema } from "./offer.schema.ts";
import type { Offer } from "./offers.server.ts";

/** What the forms of a page with offers need. */
interface OfferForms {
  /** The email address of the viewer. */
  account: string;
  /** A new idempotency key. */
  formKey: string;
  result: SubmissionResult<string[]> | undefined;
  /** What the viewer was asked about before the text is sent. */
  asked?: string[] | undefined;
}

/** An offer's state, with what the viewer can do about it. */
export function OfferWithActions({ offer, forms }: { offer: SerializeFrom<Offer>; forms: OfferForms }) {
  const { id, phoneId, state, role, intents, amountCents, priceCents, orderId, wait, isBarred } = offer;
  const answers = intents.filter((intent) => intent !== "counter");
  return (
    <>
      <OfferText offer={offer} />
      <div className="mt-3 flex flex-wrap items-start gap-2 empty:hidden">
        {wait && role === "seller" && (
          <Link to={`/manage/orders/${wait.orderId}`} className="btn btn-outline btn-sm">
            Let them book again
          </Link>
        )}
        {state === "accepted" && role === "buyer" && !wait && !isBarred && (
          <Link to={`/phones/${phoneId}/book`} className="btn btn-primary btn-sm">
            Book for {priceLabel(Math.min(amountCents, priceCents ?? amountCents))}
          </Link>
        )}
        {orderId && (state === "booked" || state === "gone") && (
          <Link to={`/manage/orders/${orderId}`} className="btn btn-outline btn-sm">
            View order
          </Link>
        )}
        {answers.map((intent) => (
          <Form key={intent} method="post" preventScrollReset>
            <input type="hidden" name="offer" value={id} />
            <input type="hidden" name="intent" value={intent} />
            <SubmitButton
              pending={{ offer: id, intent }}
              className={`btn-sm ${intent === "accept" ? "btn-primary" : quietButton}`}
            >
              {answerLabels[intent]}
              {intent === "accept" && ` ${priceLabel(amountCents)}`}
            </SubmitButton>
          </Form>
        ))}
      </div>
      {intents.includes("counter") && <CounterForm offer={offer} forms={forms} />}
    </>
  );
}

function OfferText({ offer }: { offer: SerializeFrom<Offer> }) {
  const { recentLabel } = useDateLabels();
  return <p className="wrap-anywhere">{offerText(offer, recentLabel)}</p>;
}

const answerLabels: Record<Exclude<OfferIntent, "counter">, string> = {
  accept: "Accept",
  refuse: "Decline",
  withdraw: "Withdraw",
};

function CounterForm({ offer, forms }: { offer: SerializeFrom<Offer>; forms: OfferForms }) {
  const { id, amountCents, priceCents } = offer;
  const isRefused = forms.result?.initialValue?.offer === id;
  return (
    <details className="mt-3" open={isRefused}>
      <summary className="link min-h-6 w-fit">Make a counteroffer</summary>
      <PriceForm
        id={`counter-${id}`}
        offerId={id}
        label="Your counteroffer"
        hint={`Between ${priceLabel(amountCents)} and ${priceLabel(priceCents ?? amountCents)}. The buyer has ${offerTerms.answerHours} hours to answer.`}
        button="Send counteroffer"
        forms={{ ...forms, result: isRefused ? forms.result : undefined }}
      />
    </details>
  );
}

/** A price with a message. */
function PriceForm({
  id,
  offerId,
  label,
  hint,
  button,
  forms: { account, formKey, result, asked },
}: {
  id: string;
  /** The offer that it answers. */
  offerId?: string;
  label: string;
  hint: string;
  button: string;
  forms: OfferForms;
}) {
  const [form, fields] = useSchemaForm(offerFormSchema, { id, lastResult: result });
  return (
    <Form
      method="post"
      preventScrollReset
      {...getFormProps(form)}
      autoComplete="off"
      className="mt-4 grid gap-4"
    >
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <input type="hidden" name="intent" value={offerId ? "counter" : "offer"} />
      {offerId && <input type="hidden" name="offer" value={offerId} />}
      {result && <ConfirmedValues asked={asked} />}
      <FormErrors form={form} labels={{ amount: label, text: "Message" }} />
      <Field field={fields.amount} label={label} inputMode="decimal" hint={hint} />
      <TextAreaField field={fields.text} label="Message (optional)" rows={2} />
      <SubmitButton
        pending={{ formKey, ...(offerId && { offer: offerId }) }}
        className="btn-primary justify-self-start"
      >
        {hasQuestion(fields.text.errors) ? "Send anyway" : button}
      </SubmitButton>
    </Form>
  );
}

/** A buyer's open offer for a listing, or the form to make one. @param refusal why none can be made */
export function OwnOffer({
  priceCents,
  open,
  left,
  waitText,
  refusal,
  forms,
}: {
  priceCents: number;
  open: SerializeFrom<Offer> | null;
  /** How many offers the buyer can still make. */
  left: number;
  /** Why a buyer who has cancelled the device cannot book it yet. */
  waitText: string | null;
  refusal: OfferRefusal | null;
  forms: OfferForms;
}) {
  const range = offerRange(priceCents);
  const { withTimes } = useDateLabels();
  const { result } = forms;
  // The form of a refused offer is gone if there is an open one by now, or none can be made.
  const gone = result?.initialValue && !result.initialValue.offer && (
    <MissingFormError errors={formErrorsOf({ result })} text={result.initialValue.text} />
  );
  if (open) {
    return (
      <div className="grid gap-4">
        {gone || <ActionError />}
        <OfferWithActions offer={open} forms={forms} />
      </div>
    );
  }
  if (refusal || !range) return gone || <p>{offerRefusalTexts[refusal ?? "price too low"]}</p>;
  return (
    <>
      <p>
        It’s listed at {priceLabel(priceCents)}. The seller has {offerTerms.answerHours} hours to answer. Once
        your offer is accepted, your price holds for {offerTerms.bookingHours} hours. Someone else may book it
        first. {waitText && withTimes(waitText)}
      </p>
      <PriceForm
        id="offer"
        label="Your offer"
        hint={`From ${priceLabel(range.lowest)} to ${priceLabel(range.highest)}. ${left === 1 ? "This is your last offer" : `You can make ${left} offers`} for this device.`}
        button="Send offer"
        forms={forms}
      />
    </>
  );
}

/** Offers with their devices. */
/** @param buyerRecords of those who negotiate with the viewer, by the conversation */
export function OfferList({
  offers,
  buyerRecords,
  forms,
}: {
  offers: SerializeFrom<Offer>[];
  buyerRecords: Record<string, BuyerRecord>;
  forms: OfferForms;
}) {
  return (
    <ul className="grid gap-4">
      {offers.map((offer) => (
        <li key={offer.id}>
          <OfferCard offer={offer} buyerRecord={buyerRecords[offer.conversationId]}>
            <OfferWithActions offer={offer} forms={forms} />
          </OfferCard>
        </li>
      ))}
    </ul>
  );
}

function OfferCard({
  offer,
  buyerRecord,
  children,
}: {
  offer: SerializeFrom<Offer>;
  buyerRecord: BuyerRecord | undefined;
  children: ReactNode;
}) {
  const { dayLabel } = useDateLabels();
  const { id, phoneId, productName, ownNumber, priceCents, bookedBy, conversationId, createdAt } = offer;
  return (
    <article
      aria-labelledby={`offer-${id}`}
      className="flex gap-4 rounded-box border border-base-300 p-4 sm:p-5"
    >
      <DeviceThumbnail picture={offer} />
      <div className="min-w-0 grow">
        <h3 id={`offer-${id}`} className="text-lg font-semibold wrap-anywhere">
          {bookedBy === null ? (
            <Link to={`/phones/${phoneId}`} className="link">
              {productName}
            </Link>
          ) : (
            productName
          )}
        </h3>
        <p className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet tabular-nums">
          {ownNumber && <span className="wrap-anywhere">{ownNumber}</span>}
          {bookedBy === null && priceCents !== null && <span>Listed at {priceLabel(priceCents)}</span>}
          <time dateTime={createdAt}>{dayLabel(createdAt)}</time>
          <Link to={conversationPath(conversationId)} className="link">
            Messages
          </Link>
        </p>
        {buyerRecord && (
          <p className="mb-2 text-sm text-quiet tabular-nums">
            {offer.other}: <BuyerRecordText record={buyerRecord} />
          </p>
        )}
        {children}
      </div>
    </article>
  );
}
