import type { SerializeFrom } from "@remix-run/cloudflare";
import { brand } from "#app/brand.ts";
import type { OrderStage } from "#app/db/values.ts";
import { orderStages } from "#app/db/values.ts";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { CheckIcon, CloseIcon } from "#app/ui/icons.tsx";
import { stepLabel } from "./order.rules.ts";
import type { OrderDetails, OrderStep } from "./order-details.server.ts";

export function OrderTimeline({
  order,
}: {
  order: Pick<SerializeFrom<OrderDetails>, "status" | "stage" | "steps">;
}) {
  const { status, stage, steps } = order;
  const upcoming = status === "active" ? orderStages.slice(orderStages.indexOf(stage) + 1) : [];
  return (
    <ol>
      {steps.map((step, index) => (
        <PastStep key={step.id} step={step} isLast={index === steps.length - 1 && upcoming.length === 0} />
      ))}
      {upcoming.map((kind, index) => (
        <FutureStep key={kind} kind={kind} isLast={index === upcoming.length - 1} />
      ))}
    </ol>
  );
}

function PastStep({ step, isLast }: { step: SerializeFrom<OrderStep>; isLast: boolean }) {
  const isCancelled = step.kind === "cancelled";
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
        <p className="font-medium">{stepLabel(step.kind)}</p>
        <p className="text-sm text-quiet wrap-anywhere">
          {actorLabel(step)}, <time dateTime={step.at}>{dateTimeLabel(step.at)}</time>
        </p>
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

/** Administrators stay anonymous. */
function actorLabel({ byViewer, by, actorName }: SerializeFrom<OrderStep>): string {
  if (byViewer) return "By you";
  if (by === "system") return `By ${brand.name}`;
  return by === "administrator" ? "By an administrator" : `By ${actorName}`;
}
