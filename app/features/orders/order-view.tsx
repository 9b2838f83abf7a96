import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { type OrderStage, orderStages } from "#app/db/enums.ts";
import { orderDeadlines, terms } from "#app/terms.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";
import { CheckIcon, CloseIcon } from "#app/ui/icons.tsx";
import { formerMember } from "../accounts/viewer.ts";
import { ListingPicture } from "../listings/listing-picture.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { ledgerLabel } from "../payments/ledger-labels.ts";
import { usePaymentLabels } from "../payments/payment-labels.ts";
import {
  isFullyRefunded,
  moneyStateLabels,
  protectedPaymentText,
  returnText,
  unpaidStatusText,
  unprotectedPaymentText,
} from "../payments/payment-texts.ts";
import { type BuyerRecord, BuyerRecordText } from "../reviews/buyer-record.tsx";
import { bookingRefusalText } from "./booking-refusal.ts";
import type { OrderState, Parcel, ProblemEnd } from "./order.rules.ts";
import type { OrderDetails, OrderStep } from "./order-details.server.ts";
import {
  firstStepText,
  missingAddress,
  nextStepText,
  orderNumber,
  orderStatusText,
  parcelText,
  paymentText,
  stepLabel,
  trackingPage,
  warrantyTerm,
} from "./order-texts.ts";

/**
 * What was ordered, its state, and who has to do what by when.
 *
 * @param problem how its newest problem ended, and whether the viewer can report one
 * @param isBooked whether the steps after a booking follow, which name the deadline
 */
export function OrderHeader({
  order,
  problem,
  isBooked,
}: {
  order: SerializeFrom<OrderDetails>;
  problem: { problemEnd: ProblemEnd | null; canReport: boolean };
  isBooked: boolean;
}) {
  const labels = usePaymentLabels();
  const { payment, role, deadline } = order;
  const isUnpaid = payment?.state === "to pay" || payment?.state === "not paid";
  const unpaid = payment && unpaidStatusText(role, payment, order.isBySystem);
  // Of an order that goes on, that is the first thing to know.
  const paidBack = order.status === "active" && isFullyRefunded(order.refundable) ? payment : null;
  const isForNothing =
    paidBack?.leftCents === 0 &&
    role === "seller" &&
    order.stage === "reserved" &&
    order.intents.includes("cancel");
  const status = isForNothing
    ? `The buyer has got ${priceLabel(paidBack.refundedCents)} back, so you’d get nothing. Cancel the order, or agree in Messages.`
    : [
        ...(paidBack ? [protectedPaymentText(role, paidBack, labels)] : []),
        unpaid ?? orderStatusText(role, { ...order, ...problem, isMoneyHeld: isMoneyOpen(payment) }),
      ].join(" ");
  // After a cancellation, only the refund is left to say.
  const isCancelledBeforeHandover =
    order.status === "cancelled" &&
    order.stage === "reserved" &&
    !order.hasProblem &&
    !order.hasEndingProblem;
  const next =
    payment && (isUnpaid || isCancelledBeforeHandover)
      ? protectedPaymentText(role, payment, labels)
      : nextStepText(role, { ...order, ...problem }, deadline && labels.dayLabel(deadline));
  const nextStep = isBooked ? null : next;
  return (
    <header
      className={`flex flex-wrap items-start gap-x-4 gap-y-2 ${order.picture ? "sm:grid sm:grid-cols-[auto_1fr] sm:grid-rows-[auto_1fr] sm:gap-x-6" : ""}`}
    >
      {order.picture && (
        <div className="w-24 shrink-0 rounded-box bg-base-200 p-2 sm:row-span-2 sm:w-36 sm:p-3">
          <ListingPicture picture={order.picture} size="card" eager />
        </div>
      )}
      <div className="min-w-0 flex-1">
        <p className="mb-2 hidden print:block">
          <span className="block font-display text-2xl font-semibold">{printedTitle(order)}</span>
          Booked on {brand.name}
        </p>
        <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{order.productName}</h1>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-quiet">
          Order {orderNumber(order.id)}
          <OrderBadge order={{ ...order, isShipped: order.parcel !== null }} />
        </p>
      </div>
      <div className="w-full min-w-0">
        <p className="max-w-prose text-lg">{status}</p>
        {nextStep && <p className="mt-1 max-w-prose text-pretty">{nextStep}</p>}
        <MissingAddress order={order} />
        <Rebooking order={order} />
      </div>
    </header>
  );
}

/** Whether the money of a protected order is still to move. */
const isMoneyOpen = (payment: SerializeFrom<OrderDetails>["payment"]) =>
  payment !== null && !["released", "refunded", "partly refunded"].includes(payment.state);

/** A receipt is for what was handed over. */
function printedTitle({
  status,
  stage,
  hasEndingProblem,
}: OrderState & { hasEndingProblem: boolean }): string {
  if (status === "cancelled") return hasEndingProblem ? "Ended order" : "Cancelled order";
  return stage === "reserved" ? "Booking" : "Receipt";
}

/** The state of an order, in the same words on all pages. */
export function OrderBadge({
  order: { status, stage, isShipped, hasProblem, hasEndingProblem },
}: {
  order: OrderState & { isShipped: boolean; hasProblem: boolean; hasEndingProblem: boolean };
}) {
  const label =
    status === "cancelled"
      ? stepLabel(hasEndingProblem ? "returned" : "cancelled")
      : hasProblem
        ? "On hold"
        : stepLabel(stage, isShipped);
  return (
    <span className="badge border-transparent bg-neutral font-medium whitespace-nowrap text-neutral-content">
      {label}
    </span>
  );
}

/** What a buyer reads after a booking: what happens next, and by when. */
export function BookedSteps({ order, backTo }: { order: SerializeFrom<OrderDetails>; backTo: string }) {
  const { dayLabel } = useDateLabels();
  const seller = order.sellerName ?? formerMember;
  const steps = [
    `${order.payment ? "You’ve paid. " : ""}${firstStepText(seller, { hasAddress: Boolean(order.delivery?.address), isPaid: order.payment !== null })}`,
    `${seller} hands it over or ships it${order.deadline ? ` by ${dayLabel(order.deadline)}` : ""}. ${order.payment ? terms.notDeliveredButPaid : terms.notDelivered}`,
    `Once you have it, mark it as received here, within ${orderDeadlines["handed over"].days} days of the handover.`,
  ];
  return (
    <section aria-labelledby="booked" className="max-w-2xl rounded-box bg-base-200 p-5 sm:p-6 print:hidden">
      <h2 id="booked" className="text-2xl font-semibold wrap-anywhere">
        You booked it for {priceLabel(order.priceCents)}
      </h2>
      <ol className="mt-4 grid gap-3">
        {steps.map((step, index) => (
          <li key={step} className="grid grid-cols-[1.5rem_1fr] wrap-anywhere">
            <span aria-hidden="true" className="font-display font-semibold tabular-nums">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <p className="mt-5">
        <Link to={backTo} className="link">
          {backTo.startsWith("/phones/") ? "Back to the listing" : "Back to the list"}
        </Link>
      </p>
    </section>
  );
}

/**
 * The price, how it is paid, and what is promised.
 *
 * @param hasProvider whether the market protects payments
 * @param isCovered whether the warranty holds
 * @param canReport whether the buyer can report a problem
 */
export function OrderPayment({
  order,
  hasProvider,
  isCovered,
  canReport,
  isViewerSuspended,
}: {
  order: SerializeFrom<OrderDetails>;
  hasProvider: boolean;
  isCovered: boolean;
  canReport: boolean;
  isViewerSuspended: boolean;
}) {
  return (
    <section aria-labelledby="order-payment" className="max-w-2xl">
      <h2 id="order-payment" className="mb-2 text-xl font-semibold">
        Payment
      </h2>
      <p className="font-display text-4xl font-semibold tabular-nums">{priceLabel(order.priceCents)}</p>
      {order.payment ? (
        <ProtectedPayment order={order} payment={order.payment} />
      ) : (
        <p className="mt-2 text-pretty">
          {unprotectedPaymentText(
            paymentText(order.role, { ...order, canReport, isViewerSuspended }),
            hasProvider && order.status === "active",
          )}
        </p>
      )}
      {order.status === "active" && order.role === "buyer" && isCovered && (
        <p className="mt-2 text-pretty text-quiet">
          Warranty: {terms.warranty} {canReport && terms.claim}
        </p>
      )}
    </section>
  );
}

/** Leads a buyer to the provider's page. */
export function PayForm({
  order: { priceCents },
  payBy,
}: {
  order: Pick<SerializeFrom<OrderDetails>, "priceCents">;
  /** An ISO time. */
  payBy: string;
}) {
  const { timeLabel } = usePaymentLabels();
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="pay" />
      <SubmitButton pending={{ intent: "pay" }} className="btn-primary w-full">
        Pay {priceLabel(priceCents)} by {timeLabel(payBy)}
      </SubmitButton>
    </Form>
  );
}

/** Where the money is, when it moves, and what has happened to it. */
function ProtectedPayment({
  order: { role, returnUntil },
  payment,
}: {
  order: SerializeFrom<OrderDetails>;
  payment: NonNullable<SerializeFrom<OrderDetails>["payment"]>;
}) {
  const labels = usePaymentLabels();
  return (
    <>
      <p className="mt-2 font-medium">Protected payment: {moneyStateLabels[payment.state].toLowerCase()}</p>
      {/* Until it is paid, the top of the page says it. */}
      {payment.state !== "to pay" && (
        <p className="mt-1 text-pretty">{protectedPaymentText(role, payment, labels)}</p>
      )}
      {returnUntil && <p className="mt-1 text-pretty">{returnText(role, labels.recentLabel(returnUntil))}</p>}
      {payment.refundReason && (
        <p className="mt-2 whitespace-pre-line wrap-anywhere">{`Why we paid back: ${payment.refundReason}`}</p>
      )}
      {payment.history.length > 0 && (
        <dl className="mt-4">
          {payment.history.map((entry) => (
            <FactRow key={`${entry.kind} ${entry.cents} ${entry.at}`} term={ledgerLabel(entry)}>
              {priceLabel(Math.abs(entry.cents))},{" "}
              <time dateTime={entry.at}>{labels.dayLabel(entry.at)}</time>
            </FactRow>
          ))}
        </dl>
      )}
    </>
  );
}

/** Without JavaScript, browsers print the page by their own menu. */
export function PrintButton({ order }: { order: Parameters<typeof printedTitle>[0] }) {
  const title = printedTitle(order).toLowerCase();
  return useHydrated() ? (
    <button type="button" onClick={() => window.print()} className="btn btn-outline btn-sm print:hidden">
      Print {title}
    </button>
  ) : (
    <noscript className="text-sm text-quiet print:hidden">
      {`To print the ${title}, use your browser’s menu.`}
    </noscript>
  );
}

function MissingAddress({ order }: { order: SerializeFrom<OrderDetails> }) {
  if (order.stage !== "reserved" || !order.delivery || order.delivery.address || order.gone) return null;
  const { seller, buyer } = missingAddress(order.statedDelivery);
  if (order.role === "seller") return <p className="mt-1">{seller}</p>;
  return (
    order.canChangeDelivery &&
    buyer && (
      <p className="mt-1 print:hidden">
        {buyer.before}
        <a href="#delivery-address" className="link">
          Add an address
        </a>{" "}
        {buyer.after}
      </p>
    )
  );
}

/** How a buyer gets the device after all. */
function Rebooking({
  order: { role, isUnpaid, rebooking, phoneId },
}: {
  order: SerializeFrom<OrderDetails>;
}) {
  const { recentLabel } = useDateLabels();
  if (isUnpaid && role === "buyer")
    return (
      <p className="mt-1 max-w-prose text-pretty print:hidden">
        {bookingRefusalText({ reason: "not paid before" })}
      </p>
    );
  if (!rebooking) return null;
  return (
    <p className="mt-1 max-w-prose text-pretty print:hidden">
      {rebooking.wait ? (
        bookingRefusalText(rebooking.wait, recentLabel)
      ) : (
        <>
          It’s for sale, and you can book it again.{" "}
          <Link to={`/phones/${phoneId}`} className="link">
            View the listing
          </Link>
        </>
      )}
    </p>
  );
}

export function OrderTimeline({
  order,
}: {
  order: Pick<SerializeFrom<OrderDetails>, "status" | "stage" | "steps" | "parcel">;
}) {
  const { status, stage, steps, parcel } = order;
  const upcoming = status === "active" ? orderStages.slice(orderStages.indexOf(stage) + 1) : [];
  return (
    <ol>
      {steps.map((step, index) => (
        <PastStep
          key={step.id}
          step={step}
          label={stepLabel(step.kind, parcel !== null, step.by === "system")}
          isLast={index === steps.length - 1 && upcoming.length === 0}
        />
      ))}
      {upcoming.map((kind, index) => (
        <FutureStep key={kind} kind={kind} isLast={index === upcoming.length - 1} />
      ))}
    </ol>
  );
}

function PastStep({
  step,
  label,
  isLast,
}: {
  step: SerializeFrom<OrderStep>;
  label: string;
  isLast: boolean;
}) {
  const { recentLabel } = useDateLabels();
  const isCancelled = step.kind === "cancelled" || step.kind === "returned";
  return (
    <li className="relative flex gap-4 pb-6 last:pb-0">
      {!isLast && <ConnectingLine />}
      <span
        aria-hidden="true"
        className={`grid size-7 shrink-0 place-items-center rounded-full ${
          isCancelled ? "bg-error text-error-content" : "bg-success text-success-content"
        }`}
      >
        {isCancelled ? <CloseIcon className="size-4" /> : <CheckIcon className="size-4" />}
      </span>
      <div className="min-w-0">
        <p className="font-medium">{label}</p>
        <p className="text-sm text-quiet wrap-anywhere">
          <Actor step={step} />,{" "}
          {/* A line of its own, so that nothing moves when the browser knows the time zone. */}
          <time dateTime={step.at} className="block">
            {recentLabel(step.at)}
          </time>
        </p>
        {step.reason && <p className="mt-1 text-sm whitespace-pre-line wrap-anywhere">{step.reason}</p>}
      </div>
    </li>
  );
}

function FutureStep({ kind, isLast }: { kind: OrderStage; isLast: boolean }) {
  return (
    <li className="relative flex gap-4 pb-6 text-quiet last:pb-0">
      {!isLast && <ConnectingLine />}
      <span
        aria-hidden="true"
        className="size-7 shrink-0 rounded-full border-2 border-base-300 bg-base-100"
      />
      <div>
        <p>{stepLabel(kind)}</p>
        <p className="text-sm">Not yet</p>
      </div>
    </li>
  );
}

function ConnectingLine() {
  return <span aria-hidden="true" className="absolute top-7 bottom-0 left-3.5 w-px bg-base-300" />;
}

/** On paper, "you" is nobody. */
function Actor({ step: { byViewer, by, actorName } }: { step: SerializeFrom<OrderStep> }) {
  const name = by === "system" ? brand.name : actorName || formerMember;
  if (!byViewer) return `By ${name}`;
  return (
    <>
      By <span className="print:hidden">you</span>
      <span className="hidden print:inline">{name}</span>
    </>
  );
}

/** A name in the order's details. */
function SideName({ name, isViewer }: { name: string; isViewer: boolean }) {
  return (
    <>
      {name}
      {isViewer && <span className="print:hidden"> (you)</span>}
    </>
  );
}

/** @param buyerRecord for the seller of a booking */
export function OrderFacts({
  order,
  buyerRecord,
}: {
  order: SerializeFrom<OrderDetails>;
  buyerRecord: BuyerRecord | null;
}) {
  const { dayLabel } = useDateLabels();
  const { role, delivery } = order;
  return (
    <dl>
      <FactRow term="Device">
        {order.listed ? (
          <Link to={`/phones/${order.phoneId}`} className="link">
            {order.productName}
          </Link>
        ) : (
          order.productName
        )}
      </FactRow>
      {order.ownNumber && <FactRow term="Own number (SKU)">{order.ownNumber}</FactRow>}
      <FactRow term="Storage">{`${order.rom}, ${order.ram} RAM`}</FactRow>
      <FactRow term="Price">{priceLabel(order.priceCents)}</FactRow>
      {order.payment && order.payment.refundedCents > 0 && (
        <FactRow term="Paid back">{priceLabel(order.payment.refundedCents)}</FactRow>
      )}
      <FactRow term="Order number">{orderNumber(order.id)}</FactRow>
      <FactRow term="Ordered">{dayLabel(order.createdAt)}</FactRow>
      {order.stage !== "reserved" && (
        <FactRow term="Handover">{order.parcel ? <ParcelLine parcel={order.parcel} /> : "In person"}</FactRow>
      )}
      {order.warrantyUntil && (
        <FactRow term={warrantyTerm(order.warrantyUntil)}>{dayLabel(order.warrantyUntil)}</FactRow>
      )}
      <FactRow term="Seller">
        {role === "seller" ? (
          <SideName name={order.sellerName ?? ""} isViewer />
        ) : order.sellerHasPage ? (
          <Link to={`/sellers/${order.sellerId}`} className="link">
            {order.sellerName}
          </Link>
        ) : (
          (order.sellerName ?? formerMember)
        )}
      </FactRow>
      <FactRow term="Buyer">
        <SideName name={order.buyerName} isViewer={role === "buyer"} />
        {buyerRecord && (
          <span className="block text-sm text-quiet tabular-nums print:hidden">
            <BuyerRecordText record={buyerRecord} />
          </span>
        )}
      </FactRow>
      {delivery ? (
        <>
          <FactRow term="Email">
            {!delivery.email ? (
              "None"
            ) : role === "buyer" ? (
              <EmailAddress email={delivery.email} />
            ) : (
              <a href={`mailto:${delivery.email}`} className="link">
                <EmailAddress email={delivery.email} />
              </a>
            )}
          </FactRow>
          <FactRow term="Phone">{delivery.phone || "Not given"}</FactRow>
          <FactRow term="Address">
            <span className="whitespace-pre-line">
              {delivery.address || missingAddress(order.parcel ? null : order.statedDelivery).label}
            </span>
          </FactRow>
        </>
      ) : (
        <FactRow term="Delivery">
          {order.status === "active"
            ? "Shown once it’s paid"
            : `Hidden because ${order.hasEndingProblem ? "a problem ended the order" : "the order was cancelled"}`}
        </FactRow>
      )}
    </dl>
  );
}

export function ParcelLine({ parcel }: { parcel: Parcel }) {
  const page = trackingPage(parcel);
  return (
    <>
      Shipped with {parcelText(parcel)}
      {page && (
        <a href={page} rel="noreferrer" className="link block print:hidden">
          Track it with {parcel.parcelService}
        </a>
      )}
    </>
  );
}
