import type { OrderStage } from "#app/db/enums.ts";
import { may } from "../accounts/permissions.ts";
import { type Actor, system } from "../accounts/viewer.ts";

export type OrderRole = "buyer" | "seller" | "administrator";

/** Who a step of an order is by. */
export type OrderActor = OrderRole | "system";

export interface OrderState {
  status: "active" | "cancelled";
  stage: OrderStage;
}

/** "agreed" and "decided" ones were settled for who opened them; of those refused, the opener was the buyer. */
export type ProblemEnd = "agreed" | "decided" | "refused";

/** The actor's role in orders for the phones of others. */
export function actorInOrders(actor: Actor): Exclude<OrderActor, "seller"> {
  if (actor.userType === system.userType) return "system";
  return may(actor, "manage orders") ? "administrator" : "buyer";
}

/**
 * The stages in which an actor may cancel an order. After the handover it ends before the receipt only through a problem,
 * or by an administrator who says why.
 */
export function cancellableStages(by: OrderActor): OrderStage[] {
  return by === "administrator" ? ["reserved", "handed over"] : ["reserved"];
}

/** Buyers can change where their order is sent until it is handed over. */
export function canChangeDelivery(role: OrderRole, { status, stage }: OrderState): boolean {
  return role === "buyer" && status === "active" && stage === "reserved";
}

/** Sellers can correct how they handed a device over until it is received. */
export function canChangeHandover(role: OrderRole, { status, stage }: OrderState): boolean {
  return role === "seller" && status === "active" && stage === "handed over";
}

/** What a device is shipped in. */
export interface Parcel {
  parcelService: string;
  trackingNumber: string | null;
}

/** How a seller says that a device is handed over. What is left out stays as it is. */
export interface Handover {
  handover?: "in person" | "shipped" | undefined;
  parcelService?: string | undefined;
  /** Empty to take the number away. */
  trackingNumber?: string | undefined;
}

/** The parcel of an order after a handover, or a correction of it; null if the device is not shipped. */
export function parcelAfter({ handover, parcelService, trackingNumber }: Handover, saved: Parcel | null) {
  const service = parcelService ?? saved?.parcelService;
  const keptNumber = service === saved?.parcelService ? saved?.trackingNumber : null;
  return parcelOf({
    handover: handover ?? (service ? "shipped" : "in person"),
    parcelService: service,
    trackingNumber: trackingNumber ?? keptNumber,
  });
}

/** Whether a device would be shipped by nobody knows whom. */
export function lacksParcelService({ handover, parcelService }: Handover, saved: Parcel | null): boolean {
  return handover === "shipped" && !parcelService && !saved;
}

/** How a device is handed over as a form shows it, to notice that it has been changed since. */
export function shownHandover(stage: OrderStage, parcel: Parcel | null): string {
  if (stage === "reserved") return stage;
  return parcel ? `${parcel.parcelService} ${parcel.trackingNumber ?? ""}` : "in person";
}

/** The parcel in an order or a form; null if the device is not shipped. */
export function parcelOf({
  handover,
  parcelService,
  trackingNumber,
}: { [Name in keyof Parcel]?: string | null | undefined } & {
  handover?: "in person" | "shipped";
}): Parcel | null {
  if (handover === "in person" || !parcelService) return null;
  return { parcelService, trackingNumber: trackingNumber || null };
}

/** Whether the buyer, who has the device, can still give it back for no reason: as long as money comes back for it. */
export const canChangeMind = (
  {
    status,
    stage,
    returnUntil,
    refundable,
  }: Pick<OrderState, "status" | "stage"> & { returnUntil: number | null; refundable: number | null },
  now: Date,
) =>
  status === "active" && stage === "received" && (returnUntil ?? 0) > now.getTime() && (refundable ?? 0) > 0;
