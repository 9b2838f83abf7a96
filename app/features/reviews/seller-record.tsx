import { countLabel } from "#app/market.ts";

/** How a seller has dealt with buyers lately. */
export interface SellerRecord {
  /** Devices sold. */
  sales: number;
  handedOver: number;
  /** Orders that were cancelled because the seller did not hand the device over in time. */
  late: number;
  /** Buyers' questions that the seller answered within a day. */
  answered: number;
  unanswered: number;
}

/** What a seller's record says, number first. */
export function SellerRecordList({ record }: { record: SellerRecord }) {
  const { sales, handedOver, late, answered, unanswered } = record;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet tabular-nums">
      <li>
        {sales === 0 ? "Nothing sold yet" : `${countLabel(sales)} ${sales === 1 ? "device" : "devices"} sold`}
      </li>
      {handedOver + late > 0 && (
        <li>
          {handedOver} of {handedOver + late} handed over in time
        </li>
      )}
      {answered + unanswered > 0 && (
        <li>
          {answered} of {answered + unanswered} questions answered within a day
        </li>
      )}
    </ul>
  );
}
