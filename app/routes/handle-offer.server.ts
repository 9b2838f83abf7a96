import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { priceRangeLabel } from "#app/features/listings/money.rules.ts";
import {
  type OfferRefusal,
  offerDoneTexts,
  offerIntents,
  offerRefusalTexts,
  offerRetryAfter,
} from "#app/features/orders/offer.rules.ts";
import { offerFormSchema } from "#app/features/orders/offer.schema.ts";
import { makeOffer, replyToOffer } from "#app/features/orders/offers.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import {
  type FormRefusal,
  invalidForm,
  parseForm,
  refusedForm,
  submissionKeyOf,
} from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { ownHostOf } from "#app/server/http/request.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { confirmedIn, keepingConfirmed, questionRefusal } from "./message-question.server.ts";

/**
 * Handles the forms of offers, on each page that has them.
 *
 * @param phoneId the listing that an offer can be made for here
 * @param next the page that follows, by default the same
 */
export async function handleOffer(posted: PostedForm, phoneId?: string, next = pathAndQuery(posted.request)) {
  const { context, viewer, form } = posted;
  const intent = (["offer", ...offerIntents] as const).find((known) => known === form.get("intent"));
  if (!intent || (intent === "offer" && phoneId === undefined)) throw badRequest();

  const submission = parseForm(form, offerFormSchema);
  const price = intent === "offer" || intent === "counter" ? submission : null;
  const refuse = (refusal: FormRefusal = {}) =>
    price ? invalidForm(price, keepingConfirmed(form, refusal)) : refusedForm(refusal);
  if (price && price.status !== "success") return refuse();
  const early = await formRefusal(posted, "offer");
  if (early) return refuse(early);

  const { amount, text } = price?.status === "success" ? price.value : { amount: 0, text: "" };
  const offer = {
    amountCents: amount,
    text,
    formKey: await submissionKeyOf(posted),
    confirmed: confirmedIn(form),
    ownHost: ownHostOf(context, posted.request),
  };
  const outcome =
    intent === "offer"
      ? await makeOffer(context.db, viewer, phoneId ?? "", offer, context.environment)
      : await replyToOffer(context.db, viewer, String(form.get("offer")), intent, offer);
  if (outcome.question) return refuse(questionRefusal(outcome.question));
  if (outcome.refusal === "not found") throw notFound();
  if (outcome.refusal === "amount" && outcome.range)
    return refuse(amountRefusal(`Offer ${priceRangeLabel(outcome.range)}.`));
  if (outcome.refusal) return refuse(offerRefusal(outcome.refusal));
  return redirectWithToast(context, next, {
    kind: "success",
    message: offerDoneTexts[intent],
  });
}

const amountRefusal = (text: string): FormRefusal => ({ status: 409, fieldErrors: { amount: [text] } });

function offerRefusal(refusal: OfferRefusal): FormRefusal {
  const text = offerRefusalTexts[refusal];
  if (refusal === "counter amount") return amountRefusal(text);
  const retryAfter = offerRetryAfter(refusal);
  return { status: retryAfter === undefined ? 409 : 429, retryAfter, formErrors: [text] };
}
