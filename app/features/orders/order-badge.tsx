import type { OrderStage } from "#app/db/values.ts";
import { stepLabel } from "./order.rules.ts";

export function OrderBadge({ stage }: { stage: OrderStage | "cancelled" }) {
  return (
    <span className="badge border-transparent bg-neutral font-medium whitespace-nowrap text-neutral-content">
      {stepLabel(stage)}
    </span>
  );
}
