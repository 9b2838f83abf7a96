import { z } from "zod";
import { brand } from "#app/brand.ts";
import { toAmount } from "#app/features/listings/money.rules.ts";
import { problemAnswers, problemDecisions } from "#app/features/order-problems/order-problem.rules.ts";
import {
  answerSchema,
  problemKindSchema,
  problemOpenerSchema,
  problemStateSchema,
  problemStepKindSchema,
} from "#app/features/order-problems/order-problem.schema.ts";
import type {
  OrderProblem,
  ProblemCase,
  WaitingProblem,
} from "#app/features/order-problems/order-problem-details.server.ts";
import { decisionChoices } from "#app/features/order-problems/order-problem-texts.ts";
import { orderStageSchema, orderStepKindSchema } from "#app/features/orders/booking.schema.ts";
import { parcelOf } from "#app/features/orders/order.rules.ts";
import type { OrderDetails } from "#app/features/orders/order-details.server.ts";
import { type OrderRefusal, orderIntents, orderRefusals } from "#app/features/orders/order-texts.ts";
import type { OrderRecord } from "#app/features/orders/own-orders.server.ts";
import type { SavedAddress } from "#app/features/orders/saved-addresses.server.ts";
import type { OrderReviews, SellerReview } from "#app/features/reviews/reviews.server.ts";
import { reviewDays } from "#app/terms.ts";
import { _id, amount, photoRecord, recordNames, toPhoto } from "./record-fields.ts";

const parcelFields = { parcelService: z.string(), trackingNumber: z.string().nullable() };

/** How far a booking is. */
const progressFields = {
  stage: orderStageSchema,
  state: z.enum(["to pay", ...orderStageSchema.options]).describe("The stage, once it’s paid."),
  deadline: z.iso.datetime().nullable().describe("When this state ends automatically."),
  parcel: z.object(parcelFields).nullable().describe("Null unless it was shipped."),
};

export const orderRecord = z
  .object({
    _id,
    phoneId: z.string().describe("The booked listing."),
    productName: z.string().describe("Brand and model."),
    ram: z.string(),
    rom: z.string(),
    buyerName: z.string(),
    buyerAddress: z.string().describe("Empty for the seller before it’s paid, as email and phone."),
    email: z.string(),
    price: amount,
    phone: z.string(),
    ...progressFields,
    ownNumber: z.string().nullable().describe("Your own number of the listing, if you’re the seller."),
  })
  .register(recordNames, { id: "Booking" });

export function toOrder({ id, priceCents, endsAt, parcel, isToPay, ...fields }: OrderRecord) {
  return {
    _id: id,
    ...fields,
    state: isToPay ? "to pay" : fields.stage,
    price: toAmount(priceCents),
    deadline: endsAt?.toISOString() ?? null,
    parcel: parcelOf(parcel),
  } satisfies z.infer<typeof orderRecord>;
}

/** Why a step is refused. The API has another place for a reason than the page. */
export function stepRefusalText(refusal: OrderRefusal): string {
  return refusal === "reason required"
    ? "It’s been handed over, so say why you cancel it: send a reason with PUT /bookings/steps. Both sides read it."
    : orderRefusals[refusal];
}

const orderRole = z.enum(["buyer", "seller", "administrator"]);

export const orderDetailsRecord = orderRecord
  .pick({ _id: true, phoneId: true, productName: true, ram: true, rom: true, buyerName: true, price: true })
  .extend({
    role: orderRole.describe("Yours."),
    status: z.enum(["active", "cancelled"]),
    ...progressFields,
    hasProblem: z
      .boolean()
      .describe(
        "Whether a problem is open. Until it’s settled, the booking is on hold, but the seller can still hand it over, unless a side asked for other terms.",
      ),
    isSellerSuspended: z
      .boolean()
      .describe("Whether the seller is suspended. The booking is on hold then, until it’s received."),
    warrantyUntil: z.iso.datetime().nullable().describe("Null unless the buyer has the device."),
    steps: z.array(z.enum(orderIntents)).describe("What you can do now."),
    delivery: z
      .object({ address: z.string(), email: z.string(), phone: z.string() })
      .nullable()
      .describe("Null for the seller before it’s paid, and once it’s cancelled."),
    history: z.array(
      z.object({
        kind: orderStepKindSchema,
        by: z.enum([...orderRole.options, "system"]),
        at: z.iso.datetime(),
        reason: z.string().nullable().describe("Why an administrator cancelled it after the handover."),
      }),
    ),
  })
  .register(recordNames, { id: "BookingDetails" });

/** `parse` leaves out what only the page shows. */
export function toOrderDetails({ id, priceCents, intents, steps, ...order }: OrderDetails) {
  return orderDetailsRecord.parse({
    ...order,
    _id: id,
    price: toAmount(priceCents),
    state: order.isToPay && order.status === "active" ? "to pay" : order.stage,
    steps: intents,
    history: steps.map(({ at, ...step }) => ({ ...step, at: at.toISOString() })),
  } satisfies z.input<typeof orderDetailsRecord>);
}

export const addressRecord = z
  .object({ _id, address: z.string(), phone: z.string() })
  .register(recordNames, { id: "Address" });

export function toAddress({ id, ...fields }: SavedAddress) {
  return { _id: id, ...fields } satisfies z.infer<typeof addressRecord>;
}

const reviewFields = {
  stars: z.int().min(1).max(5),
  text: z.string(),
  createdAt: z.iso.datetime(),
  edited: z.boolean(),
  reply: z.string().nullable().describe("The seller’s reply."),
};

export const reviewRecord = z
  .object({
    _id,
    ...reviewFields,
    author: z.string().describe("First name and initial, or Former member."),
  })
  .register(recordNames, { id: "Review" });

export function toReview({ id, createdAt, ...fields }: SellerReview) {
  return { _id: id, ...fields, createdAt: createdAt.toISOString() } satisfies z.infer<typeof reviewRecord>;
}

const hidden = z
  .boolean()
  .describe("Whether a moderator has hidden it. Others don’t see it, and it doesn’t count.");

export const orderReviewsRecord = z
  .object({
    role: z.enum(["buyer", "seller"]).describe("Yours in this order."),
    own: z
      .object({ _id, ...reviewFields, hidden, isPublished: z.boolean() })
      .nullable()
      .describe("Your review."),
    other: z
      .object({ _id, ...reviewFields, hidden })
      .nullable()
      .describe(
        `The other side’s review. Null until both are written or ${reviewDays.hidden} days have passed.`,
      ),
    writableUntil: z.iso.datetime().nullable().describe("The deadline for writing or editing `own`."),
    reviewableUntil: z.iso.datetime().nullable().describe("The deadline for both sides’ reviews."),
    canReply: z.boolean(),
  })
  .register(recordNames, { id: "OrderReviews" });

export function toOrderReviews({ own, other, refusal: _, otherMayCome: __, ...fields }: OrderReviews) {
  const withId = <Review extends { id: string }>({ id, ...review }: Review) => ({ _id: id, ...review });
  return { ...fields, own: own && withId(own), other: other && withId(other) };
}

const orderProblemFields = z.object({
  _id,
  kind: problemKindSchema,
  state: problemStateSchema.describe("The last three mean it’s settled."),
  openedBy: problemOpenerSchema.describe(
    `“system”: the buyer’s bank disputes the payment, and ${brand.name} has opened it.`,
  ),
  deadline: z.iso.datetime().nullable().describe("The deadline of the next step."),
  lastStepId: z.string(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  steps: z.array(
    z.object({
      _id,
      kind: problemStepKindSchema,
      offer: answerSchema.shape.offer.unwrap().nullable(),
      amount: amount.nullable().describe("How much is paid back of a protected booking."),
      text: z.string(),
      at: z.iso.datetime(),
      by: z.string().describe(`“you”, a name, or ${brand.name}.`),
    }),
  ),
  photos: z.array(photoRecord).describe("Their paths take your token, too."),
});

const answerableFields = orderProblemFields.extend({
  answers: z.array(z.enum(problemAnswers)).describe("What you can answer now."),
});

export const orderProblemRecord = answerableFields
  .extend({ other: answerableFields.nullable().describe("The latest that was reported by the other side.") })
  .register(recordNames, { id: "OrderProblem" });

type ShownProblem = Pick<ProblemCase, Exclude<keyof z.infer<typeof orderProblemFields>, "_id"> | "id">;

const toProblemFields = ({ id, steps, photos, ...problem }: ShownProblem) =>
  orderProblemFields.parse({
    ...problem,
    _id: id,
    steps: steps.map(({ id, amountCents, ...step }) => ({
      _id: id,
      ...step,
      amount: amountCents === null ? null : toAmount(amountCents),
    })),
    photos: photos.map(toPhoto),
  } satisfies z.input<typeof orderProblemFields>);

function toAnswerable({ answers, ...problem }: OrderProblem["problems"][number]) {
  return { ...toProblemFields(problem), answers: [...answers] };
}

/** A problem of an order, and the latest of the other side. */
export function toOrderProblems(
  problem: OrderProblem["problems"][number],
  other: OrderProblem["problems"][number] | undefined,
) {
  return { ...toAnswerable(problem), other: other ? toAnswerable(other) : null } satisfies z.infer<
    typeof orderProblemRecord
  >;
}

export const waitingProblemRecord = z
  .object({
    _id,
    kind: problemKindSchema,
    productName: orderRecord.shape.productName,
    buyerName: z.string(),
    sellerName: z.string().nullable().describe("Null once the seller has left."),
    deadline: z.iso.datetime().nullable().describe("The moderators’ deadline."),
  })
  .register(recordNames, { id: "WaitingProblem" });

export function toWaitingProblem({ id, isOverdue: _, deadline, ...problem }: WaitingProblem) {
  return { _id: id, ...problem, deadline: deadline?.toISOString() ?? null } satisfies z.infer<
    typeof waitingProblemRecord
  >;
}

export const problemCaseRecord = orderProblemFields
  .extend({
    decisions: z.array(z.enum(problemDecisions)).describe("What you can decide now."),
    pendingDecision: z
      .object({
        decision: z.enum(problemDecisions),
        amount: z.number().nullable(),
        reason: z.string(),
        by: z.string(),
        takesEffectAt: z.iso.datetime(),
      })
      .nullable()
      .describe("A decision that can still be undone. Neither side has been told."),
    booking: orderRecord
      .pick({ _id: true, phoneId: true, productName: true, buyerName: true, price: true })
      .extend({
        sellerName: z.string(),
        stage: orderStageSchema,
        ...parcelFields,
        parcelService: parcelFields.parcelService.nullable(),
      }),
    history: z.array(z.object({ kind: orderStepKindSchema, by: z.string(), at: z.iso.datetime() })),
    messages: z
      .array(z.object({ _id, by: z.string(), at: z.iso.datetime(), text: z.string() }))
      .describe("About the booking, oldest first."),
    others: z.array(orderProblemFields).describe("The booking’s other problems, oldest first."),
  })
  .register(recordNames, { id: "ProblemCase" });

export function toProblemCase(found: ProblemCase) {
  const { people, state, scope, parcel, pending } = found;
  const { id, priceCents, phoneId, productName, stage } = found.order;
  return {
    ...toProblemFields(found),
    decisions:
      state === "with moderators" && !pending ? decisionChoices(scope).map(({ value }) => value) : [],
    pendingDecision: pending && {
      decision: pending.decision,
      amount: pending.amountCents === null ? null : toAmount(pending.amountCents),
      reason: pending.reason,
      by: pending.by,
      takesEffectAt: pending.takesEffectAt.toISOString(),
    },
    booking: {
      _id: id,
      phoneId,
      productName,
      stage,
      parcelService: parcel?.parcelService ?? null,
      trackingNumber: parcel?.trackingNumber ?? null,
      buyerName: people.buyer.name,
      sellerName: people.seller.name,
      price: toAmount(priceCents),
    },
    history: found.history.map(({ kind, by, at }) => ({ kind, by, at })),
    messages: found.messages.map(({ id, ...message }) => ({ _id: id, ...message })),
    others: found.others.map(toProblemFields),
  } satisfies z.infer<typeof problemCaseRecord>;
}
