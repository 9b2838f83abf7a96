import { brand } from "./brand.ts";
import { daysLabel, market } from "./market.ts";

// Deadlines and promises, apart from `market.ts` because lists do without them.

/** How long each stage of an order lasts before it ends by itself, and how much time the side that waits can add, once. */
export const orderDeadlines = {
  reserved: { days: 5, reminderDaysBefore: 2, extensionDays: 5 },
  "handed over": { days: 14, reminderDaysBefore: 7, extensionDays: 7 },
};

/** Protected payments: for orders of sellers who can be paid by the provider, where the market has one. */
export const paymentTerms = {
  /** How long a booking waits for its payment. */
  payMinutes: 60,
  /** How long after the receipt the seller is paid, unless the buyer has that done earlier. */
  releaseDays: 2,
  /** How long after its end the device of an order can come back before the buyer is paid back. */
  returnDays: 14,
  /** What the market keeps of a sale, in whole per cent and cents. */
  fee: { percent: 0, fixedCents: 0, minimumCents: 0 },
};

/** How many days a reserved order waits for a seller who is suspended for good; then it is cancelled. */
export const suspendedSellerDays = 30;

const claimAnswer = "Report a problem from your order. If you and the seller can’t settle it, we decide.";

/** How long people can undo what they did. */
export const undoMinutes = 10;
export const undoMs = undoMinutes * 60_000;

/** What was deleted is erased after so many days. Until then its owner can appeal, and staff reverse, a removal. */
export const purgeAfterDays = 30;

/** Who pays whom, and when. */
const payment = {
  buyer: `You pay the seller, not ${brand.name}: at the handover or before it ships.`,
  seller: `The buyer pays you, not ${brand.name}: at the handover or before you ship it.`,
  administrator: `The buyer pays the seller, not ${brand.name}: at the handover or before it ships.`,
};

/** Money and promises, in the words that all pages and emails share. */
export const terms = {
  payment: {
    buyer: `${payment.buyer} Agree with the seller in Messages.`,
    seller: `${payment.seller} Agree with the buyer in Messages.`,
    administrator: `${payment.administrator} They agree in Messages.`,
  },
  /** The same for who cannot message each other. */
  paymentInSilence: payment,
  /** Before the above, in a market with a payment provider. */
  paymentIfProtected: {
    buyer: `Where a listing says “Protected payment”, you pay when you book, and ${brand.name} holds the money until you have the device.`,
    seller: `If you’ve set up payouts, the buyer pays when they book. ${brand.name} holds the money, and pays you after they have the device.`,
    administrator: `Where a listing says “Protected payment”, the buyer pays when they book, and ${brand.name} holds the money until they have the device.`,
  },
  /** Of a listing whose seller the payment provider can pay. */
  protectedPayment: `Protected payment: you pay when you book. ${brand.name} holds the money until you have the device.`,
  /** For how many days a buyer of a protected order can change their mind. */
  returns: (days: number) =>
    `Changed your mind? Send it back within ${daysLabel(days)}, and get your money back.`,
  notHeld: `${brand.name} doesn’t hold the money.`,
  warranty: `${market.warranty.length} ${market.warranty.cover}.`,
  authenticity: "You get a genuine device that matches its listing: brand, model, RAM and storage.",
  delivery: `Handed over or shipped within ${orderDeadlines.reserved.days} days.`,
  /** Follows when the seller has to hand a device over. */
  notDelivered: "If not, we cancel the order and you don’t owe anything.",
  /** The same of an order that the buyer has paid. */
  notDeliveredButPaid: "If not, we cancel the order and you get your money back.",
  claim: `Something’s wrong? ${claimAnswer}`,
  claimAnswer,
};

/** How a device is paid, where no listing says it. @param isProtected whether the market has a payment provider */
export function howToPay(role: keyof typeof terms.payment, isProtected: boolean): string {
  const direct = terms.payment[role];
  if (!isProtected) return direct;
  return `${terms.paymentIfProtected[role]} Otherwise, ${direct.charAt(0).toLowerCase()}${direct.slice(1)}`;
}

/** How long each side of an order problem and the moderators have, in days. */
export const problemDays = {
  answer: 3,
  reminderBefore: 1,
  decision: 5,
  /** How long after the receipt a problem can be opened: as long as the warranty. */
  openable: 365 + 7,
  /** How long after its end an order can be reported: the buyer’s money or the seller’s device has not come back. */
  refund: 30,
  /** How long after the last receipt of a device a seller keeps the account. */
  sale: 30,
};

/** How many problems with an order a side can open that moderators refuse. What it marks as solved is not in vain. */
export const maxProblemsInVain = 3;

/** How long buyers who cancelled a device cannot book it again, so that they don't flood its seller with emails. */
export const rebookingHours = 24;

export const reviewDays = {
  /** How long after the device was received a review can be written. */
  writable: 60,
  /** How long after its creation a review can be changed. */
  editable: 14,
  /** How long a review stays hidden while the other side has not written theirs. */
  hidden: 14,
};
