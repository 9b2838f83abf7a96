import type { NotificationKind, OfferAnswer, OfferSide } from "#app/db/enums.ts";
import { offerTerms } from "#app/market.ts";
import { dateTimeLabel, hourMs } from "#app/time.ts";
import { minPriceCents, priceLabel } from "../listings/money.rules.ts";
import { messageRefusalTexts, retryAfterOf } from "../messages/message.rules.ts";
import type { BookingBar } from "./booking-refusal.ts";

/** What the forms of an offer can do. */
export const offerIntents = ["accept", "counter", "refuse", "withdraw"] as const;
export type OfferIntent = (typeof offerIntents)[number];

/** "gone": somebody booked the device, or it is not for sale; back in time, the offer holds again. "lapsed": nobody answered in time. "unused": accepted, but not booked in time. */
export const offerStates = [
  "pending",
  "accepted",
  "booked",
  "gone",
  "lapsed",
  "unused",
  "refused",
  "withdrawn",
  "countered",
] as const;
type OfferState = (typeof offerStates)[number];

/** Who has booked the device of an offer, or nobody: then its listing is paused or taken down. */
export type BookedBy = "buyer" | "others" | "nobody";

interface StoredOffer {
  answer: OfferAnswer | null;
  expiresAt: Date;
  answeredAt: Date | null;
  usableUntil: Date | null;
  /** Null while the device can be booked. */
  bookedBy: BookedBy | null;
  bookedAt: Date | null;
}

export function offerState({
  answer,
  expiresAt,
  answeredAt,
  usableUntil,
  bookedBy,
  bookedAt,
}: StoredOffer): OfferState {
  if (answer !== null && answer !== "accepted") return answer;
  const end = usableUntil ?? expiresAt;
  if ((bookedAt ?? new Date()) >= end) return answer === null ? "lapsed" : "unused";
  if (bookedBy === null) return answer ?? "pending";
  const isUsed = bookedBy === "buyer" && answeredAt !== null && bookedAt !== null && bookedAt >= answeredAt;
  return isUsed ? "booked" : "gone";
}

/** Whether something can still come of an offer. */
export const isOpenOffer = ({ state }: { state: OfferState }) => state === "pending" || state === "accepted";

/** Whether an offer is open, or will be again if its listing comes back in time. */
export const isOpenOrMayReopen = ({
  state,
  bookedBy,
  isBarred,
  mayComeBack,
}: Pick<ShownOffer, "state" | "bookedBy" | "isBarred"> & { mayComeBack: boolean }) =>
  isOpenOffer({ state }) || (state === "gone" && bookedBy === "nobody" && mayComeBack && !isBarred);

interface PendingOffer {
  state: OfferState;
  /** Who made it, and who looks at it. */
  side: OfferSide;
  role: OfferSide;
  amountCents: number;
  /** The price of the listing; null if it was deleted. */
  priceCents: number | null;
  /** Whether the buyer cannot book from the seller at all. */
  isBarred: boolean;
}

/** What the viewer can do about an offer. An offer that is no longer below the price can only be declined. */
export function offerIntentsOf({
  state,
  side,
  role,
  amountCents,
  priceCents,
  isBarred,
}: PendingOffer): OfferIntent[] {
  if (state !== "pending" || isBarred) return [];
  if (role === side) return ["withdraw"];
  const room = (priceCents ?? 0) - amountCents;
  if (room <= 0) return ["refuse"];
  return role === "seller" && room > 1 ? ["accept", "counter", "refuse"] : ["accept", "refuse"];
}

/** The lowest and the highest offer for a price, in cents, whole amounts for a whole price; null if the price leaves none. */
export function offerRange(priceCents: number) {
  const step = priceCents % 100 === 0 ? 100 : 1;
  const part = (percent: number) => (priceCents * percent) / (100 * step);
  const lowest = Math.max(Math.ceil(part(offerTerms.minPercent)) * step, minPriceCents);
  const highest = Math.floor(part(offerTerms.maxPercent)) * step;
  return lowest <= highest ? { lowest, highest } : null;
}

/** The message of an offer without words. */
export function offerMessage(side: OfferSide, amountCents: number): string {
  const price = priceLabel(amountCents);
  return side === "buyer" ? `I’d like to buy it for ${price}.` : `I could sell it for ${price}.`;
}

/** Why an offer is not made or answered. */
export const offerRefusalTexts = {
  "own listing": "This is your own listing.",
  "not for sale": "This device isn’t for sale right now.",
  "no offers": "This seller doesn’t take offers. You can book it at its price.",
  "price too low": "This price leaves no room for an offer. You can book it at its price.",
  suspended: "You can’t make offers while your account is suspended.",
  "blocked by you": messageRefusalTexts["blocked by you"],
  unavailable: "This person doesn’t take offers right now.",
  "not paid before":
    "An earlier order between you two wasn’t paid. Offers are possible again once the seller lets the buyer book again.",
  "open offer": "You have an open offer for this device. Wait for the answer, or withdraw it first.",
  "used up": `That was your last offer for this device: you’ve made ${offerTerms.perListing}.`,
  amount: `Offer ${offerTerms.minPercent}% to ${offerTerms.maxPercent}% of the price.`,
  "counter amount": "Name a price between the offer and your price.",
  "not yours": "It’s their turn to answer.",
  answered: "This offer has been answered already.",
  lapsed: "This offer has expired.",
  "price lower": "The price isn’t above this offer anymore, so the device can be booked for less.",
  "too many messages": messageRefusalTexts["too many messages"],
  "too many conversations": messageRefusalTexts["too many conversations"],
};

export type OfferRefusal = keyof typeof offerRefusalTexts;

interface OfferedListing {
  status: string;
  offersWelcome: string | null;
  sellingCents: number;
}

/** Why a listing takes no offer of the viewer; null if it does. @param left how many they can still make @param bar why they book nothing from its seller */
export function offerRefusalOf(
  { status, offersWelcome, sellingCents }: OfferedListing,
  isOwn: boolean,
  left: number = offerTerms.perListing,
  bar: BookingBar | null = null,
): OfferRefusal | null {
  if (isOwn) return "own listing";
  if (status !== "available") return "not for sale";
  if (offersWelcome === "No") return "no offers";
  if (!offerRange(sellingCents)) return "price too low";
  if (bar) return bar;
  return left > 0 ? null : "used up";
}

/** Seconds after which a refused offer may be made; undefined if waiting does not help. */
export function offerRetryAfter(refusal: OfferRefusal): number | undefined {
  return refusal === "too many messages" || refusal === "too many conversations"
    ? retryAfterOf(refusal)
    : undefined;
}

export const offersPath = "/manage/offers";

/** A `Date` on the server, an ISO time on a page. */
type Time = Date | string;

interface Wait {
  until: Time;
  wasUnpaid?: boolean;
}

interface ShownOffer extends PendingOffer, Pick<StoredOffer, "answer" | "bookedBy"> {
  /** The name of the other side. */
  other: string;
  /** When the state ends by itself. */
  until: Time | null;
  /** Until when a buyer who has cancelled the device, or not paid for it, cannot book it; null if they can. */
  wait: Wait | null;
  /** The price of the buyer's order; null without one. */
  bookedCents: number | null;
}

/** What an offer is and what happens next, for the viewer's role. @param timeLabel formats an ISO time */
export function offerText(offer: ShownOffer, timeLabel: (isoTime: string) => string): string {
  const { state, side, role, amountCents, other, wait } = offer;
  const label = (time: Time) => timeLabel(new Date(time).toISOString());
  const until = offer.until ? label(offer.until) : "";
  const price = priceLabel(amountCents);
  const isOwn = role === side;
  const offered = `${isOwn ? "You" : other} ${offerVerb(side, price)}.`;
  switch (state) {
    case "pending":
      if (offer.isBarred) return `${offered} It can’t be answered right now.`;
      return isOwn
        ? `${offered} ${other} can answer until ${until}.${hindrance(offer)}`
        : `${offered} Answer by ${until}.${hindrance(offer)}`;
    case "accepted":
      if (offer.isBarred) return `Agreed at ${price} until ${until}, but it can’t be booked right now.`;
      if (wait) return `Agreed at ${price} until ${until}. ${waitText(offer, wait, timeLabel)}`;
      if (offer.priceCents !== null && offer.priceCents < amountCents)
        return `Agreed at ${price} until ${until}, but the listing’s price is now ${priceLabel(offer.priceCents)}: the lower one holds.`;
      return role === "buyer"
        ? `Agreed: you can book it for ${price} until ${until}. Someone else may book it first.${hindrance(offer)}`
        : `Agreed: ${other} can book it for ${price} until ${until}.${hindrance(offer)}`;
    case "booked":
      return offer.bookedCents !== null && offer.bookedCents < amountCents
        ? `Agreed at ${price}, and booked for ${priceLabel(offer.bookedCents)}.`
        : `Agreed at ${price}, and booked.`;
    case "gone":
      return `${offer.answer ? `Agreed at ${price}.` : offered} ${goneText(offer, until)}`;
    case "unused":
      return `Agreed at ${price}, but not booked in time.`;
    case "refused":
      return isOwn ? `${other} declined ${price}.` : `You declined ${price}.`;
    case "withdrawn":
      return isOwn ? `You withdrew your offer of ${price}.` : `${other} withdrew the offer of ${price}.`;
    case "countered":
      return `${offered} ${isOwn ? other : "You"} made a counteroffer.`;
    case "lapsed":
      return isOwn ? `${offered} ${other} didn’t answer in time.` : `${offered} You didn’t answer in time.`;
  }
}

/** How a buyer who has cancelled the device, or not paid for it, can still use an accepted offer. */
function waitText(
  { role, other, until }: Pick<ShownOffer, "role" | "other" | "until">,
  wait: Wait,
  timeLabel: (isoTime: string) => string,
): string {
  const [who, they, isLet] =
    role === "buyer" ? ["You", "you", `${other} lets you`] : [other, "they", "you let them"];
  const canBook =
    minuteOf(wait.until) >= minuteOf(until ?? 0)
      ? `only book it in time if ${isLet}`
      : `book it again after ${timeLabel(new Date(wait.until).toISOString())}, or once ${isLet}`;
  return `${who} ${wait.wasUnpaid ? "didn’t pay for this device in time" : "cancelled this device"}, so ${they} can ${canBook}.`;
}

/** Times are shown without seconds. */
const minuteOf = (time: Time | 0) => Math.floor(new Date(time).getTime() / 60_000);

function offerVerb(side: OfferSide, price: string): string {
  return side === "buyer" ? `offered ${price}` : `made a counteroffer of ${price}`;
}

/** Why an open offer is of no use: the listing is now as cheap. */
function hindrance({ priceCents, amountCents }: ShownOffer): string {
  return priceCents !== null && priceCents <= amountCents
    ? ` The listing’s price is now ${priceLabel(priceCents)}.`
    : "";
}

/** @param until when the offer ends, if it can still hold again */
function goneText({ bookedBy, role }: ShownOffer, until: string): string {
  if (bookedBy === "others") return "Someone else booked it first.";
  if (bookedBy === "nobody" && until)
    return `The device isn’t for sale right now. If it’s back by ${until}, the offer holds again.`;
  if (bookedBy === "nobody") return "Then the listing was taken down.";
  return `Then ${role === "buyer" ? "you" : "they"} booked it at the listed price.`;
}

/**
 * By when somebody has to act on a notification of an offer, for its email.
 *
 * @param at when it was written
 * @param wait of a buyer who has cancelled the device, or not paid for it
 */
export function offerEmailFacts(
  kind: NotificationKind,
  at: Date,
  wait: Wait | null = null,
): [term: string, value: string][] {
  const { answerHours, bookingHours } = offerTerms;
  const facts: Partial<Record<NotificationKind, [term: string, hours: number]>> = {
    "offer made": ["Answer by", answerHours],
    "offer countered": ["Answer by", answerHours],
    "offer accepted": ["The price holds until", bookingHours],
    "counteroffer accepted": ["The price holds until", bookingHours],
  };
  const [term, hours] = facts[kind] ?? [];
  if (!term || !hours) return [];
  const until = new Date(at.getTime() + hours * hourMs);
  const deadline: [string, string] = [term, dateTimeLabel(until.toISOString())];
  if (!wait) return [deadline];
  const [role, other] =
    kind === "offer accepted" ? (["buyer", "the seller"] as const) : (["seller", "The buyer"] as const);
  return [deadline, ["Booking", waitText({ role, other, until }, wait, dateTimeLabel)]];
}

/** What an offer's form says once it is done. */
export const offerDoneTexts: Record<OfferIntent | "offer", string> = {
  offer: "Offer sent",
  accept: "Offer accepted",
  counter: "Counteroffer sent",
  refuse: "Offer declined",
  withdraw: "Offer withdrawn",
};
