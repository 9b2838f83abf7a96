import { countLabel } from "#app/market.ts";
import { dayMs } from "#app/time.ts";

/** How a seller has dealt with buyers lately. */
export interface SellerRecord {
  /** Devices sold. */
  sales: number;
  orders: {
    handedOver: number;
    /** Cancelled by the seller, or because the seller did not hand the device over in time though the buyer did their part. */
    missed: number;
    /** Without those that were cancelled and had no problem. */
    all: number;
    /** Those of `all` with a problem of the buyer that has ended and was not refused, and how many ended the order. */
    withProblem: number;
    returned: number;
  };
  /** How long the seller takes from the booking to the handover: the median; null below three handovers. */
  handoverMs: number | null;
  /** Buyers' questions and offers, answered within a day or not. */
  questions: { answered: number; unanswered: number };
}

function problemEnds({ withProblem, returned }: SellerRecord["orders"]): string {
  const all = withProblem === 1 ? "" : "all ";
  if (returned === 0) return `${all}solved`;
  return returned === withProblem
    ? `${all}returned or cancelled`
    : `${withProblem - returned} solved, ${returned} returned or cancelled`;
}

function handoverText(ms: number): string {
  const days = Math.ceil(ms / dayMs);
  return days <= 1 ? "Usually hands over within a day" : `Usually hands over within ${days} days`;
}

const numberOf = (count: number, what: string) => `${countLabel(count)} ${what}${count === 1 ? "" : "s"}`;

/** What a seller's record says, number first. */
export function SellerRecordList({
  record: { sales, orders, handoverMs, questions },
}: {
  record: SellerRecord;
}) {
  const due = orders.handedOver + orders.missed;
  const asked = questions.answered + questions.unanswered;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet tabular-nums">
      <li>{sales === 0 ? "Nothing sold yet" : `${numberOf(sales, "device")} sold`}</li>
      {due > 0 && (
        <li>
          {orders.handedOver} of {due} handed over on time
        </li>
      )}
      {handoverMs !== null && <li>{handoverText(handoverMs)}</li>}
      {orders.withProblem > 0 && (
        <li>
          {numberOf(orders.all, "order")}, {numberOf(orders.withProblem, "problem")}, {problemEnds(orders)}
        </li>
      )}
      {asked > 0 && (
        <li>
          {questions.answered} of {numberOf(asked, "question")} answered within a day
        </li>
      )}
    </ul>
  );
}
