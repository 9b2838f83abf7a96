import type { OrderStage, OrderStepKind } from "#app/db/values.ts";

/** What can be done to an order on its page. */
export const orderActs = ["hand over", "receive", "cancel"] as const;
export type OrderAct = (typeof orderActs)[number];

/** What somebody is to an order. */
export type OrderRole = "buyer" | "seller" | "administrator";

/** How an order stands. */
export interface OrderStanding {
  status: "active" | "cancelled";
  stage: OrderStage;
}

/**
 * What is open to whom. The buyer may step back until the phone is handed over, the seller and administrators
 * until it has arrived: a parcel may come back. What is received is sold, and stays so.
 */
export function actsOpenTo(role: OrderRole, { status, stage }: OrderStanding): OrderAct[] {
  if (status === "cancelled" || stage === "received") return [];
  if (role === "administrator") return ["cancel"];
  if (role === "seller") return stage === "reserved" ? ["hand over", "cancel"] : ["cancel"];
  return stage === "reserved" ? ["cancel"] : ["receive"];
}

/** What is said when an act did not come about, by how the order stands now. */
export function orderRefusal(act: OrderAct, { status, stage }: OrderStanding): string {
  if (status === "cancelled") return "This order has been cancelled.";
  if (stage === "received") return "This order is finished: the phone has been received.";
  if (act === "cancel") return pastCancelling;
  if (act === "receive" && stage === "reserved") return "The seller has not handed it over yet.";
  return "That is for the other side to say.";
}

/** Said to who cancels too late. */
export const pastCancelling = "This phone has been handed over, so the order can no longer be cancelled.";

const steps: Record<OrderStepKind, string> = {
  reserved: "Reserved",
  "handed over": "Handed over",
  received: "Received",
  cancelled: "Cancelled",
  reinstated: "Cancellation taken back",
};

/** A step in words. */
export function stepWords(kind: OrderStepKind): string {
  return steps[kind];
}

const standings: Record<OrderRole, Record<OrderStage, string>> = {
  buyer: {
    reserved: "It is reserved for you. The seller hands it over next.",
    "handed over": "The seller has handed it over. Say here when it has reached you.",
    received: "It has reached you. Enjoy your phone.",
  },
  seller: {
    reserved: "It is reserved. Get in touch with the buyer, hand it over, and say so here.",
    "handed over": "You have handed it over. The buyer says here when it has arrived.",
    received: "The buyer has it. The listing is sold and no longer in the lists.",
  },
  administrator: {
    reserved: "It is reserved. The seller hands it over next.",
    "handed over": "The seller has handed it over. The buyer says when it has arrived.",
    received: "The buyer has it. The listing is sold.",
  },
};

/** How an order stands and what comes next, for the one who looks at it. */
export function standingWords(role: OrderRole, { status, stage }: OrderStanding): string {
  return status === "cancelled" ? "This order has been cancelled." : standings[role][stage];
}
