import type { OrderStage } from "#app/db/values.ts";
import { stepWords } from "./order.rules.ts";

/** Says how far an order has come. */
export function OrderBadge({ stage }: { stage: OrderStage }) {
  return (
    <span className="badge border-transparent bg-neutral font-medium whitespace-nowrap text-neutral-content">
      {stepWords(stage)}
    </span>
  );
}
