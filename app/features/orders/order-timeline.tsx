import type { SerializeFrom } from "@remix-run/cloudflare";
import type { OrderStage } from "#app/db/values.ts";
import { orderStages } from "#app/db/values.ts";
import { dateTimeLabel } from "#app/ui/date-label.ts";
import { CheckIcon, CloseIcon } from "#app/ui/icons.tsx";
import { stepWords } from "./order.rules.ts";
import type { OrderDetails, OrderStep } from "./order-page.server.ts";

/** What has happened to an order, by whom and when, and what is still to come. */
export function OrderTimeline({
  order,
}: {
  order: Pick<SerializeFrom<OrderDetails>, "status" | "stage" | "steps">;
}) {
  const { status, stage, steps } = order;
  const ahead = status === "active" ? orderStages.slice(orderStages.indexOf(stage) + 1) : [];
  return (
    <ol>
      {steps.map((step, index) => (
        <Taken key={step.id} step={step} isLast={index === steps.length - 1 && ahead.length === 0} />
      ))}
      {ahead.map((kind, index) => (
        <Ahead key={kind} kind={kind} isLast={index === ahead.length - 1} />
      ))}
    </ol>
  );
}

function Taken({ step, isLast }: { step: SerializeFrom<OrderStep>; isLast: boolean }) {
  const isBack = step.kind === "cancelled";
  return (
    <li className="relative flex gap-4 pb-6 last:pb-0">
      {!isLast && <Thread />}
      <span
        aria-hidden="true"
        className={`grid size-7 shrink-0 place-items-center rounded-full ${
          isBack ? "bg-error text-error-content" : "bg-success text-success-content"
        }`}
      >
        {isBack ? <CloseIcon className="size-4" /> : <CheckIcon className="size-4" />}
      </span>
      <div className="min-w-0">
        <p className="font-medium">{stepWords(step.kind)}</p>
        <p className="text-sm text-quiet wrap-anywhere">
          {actorWords(step)}, <time dateTime={step.at}>{dateTimeLabel(step.at)} UTC</time>
        </p>
      </div>
    </li>
  );
}

function Ahead({ kind, isLast }: { kind: OrderStage; isLast: boolean }) {
  return (
    <li className="relative flex gap-4 pb-6 text-quiet last:pb-0">
      {!isLast && <Thread />}
      <span
        aria-hidden="true"
        className="size-7 shrink-0 rounded-full border-2 border-base-300 bg-base-100"
      />
      <div>
        <p>{stepWords(kind)}</p>
        <p className="text-sm">Still to come</p>
      </div>
    </li>
  );
}

function Thread() {
  return <span aria-hidden="true" className="absolute top-7 bottom-0 left-3.5 w-px bg-base-300" />;
}

/** Administrators act for the house, so their names are nobody's business. */
function actorWords({ byViewer, by, actorName }: SerializeFrom<OrderStep>): string {
  if (byViewer) return "By you";
  return by === "administrator" ? "By an administrator" : `By ${actorName}`;
}
