import type { SerializeFrom } from "@remix-run/cloudflare";
import { dayLabel } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import type { QueueRow } from "./moderation-queue.server.ts";
import { signalText } from "./signals/signal.rules.ts";

const kindLabels = { listing: "Listing", seller: "Seller", review: "Review", message: "Message" };

/** A target in a queue, with a link to its case. @param isOfSignals whether its signals are told in sentences */
export function QueueItem({
  row: { kind, targetId, name, ownerName, reports, text, since, signals },
  isOfSignals,
}: {
  row: SerializeFrom<QueueRow>;
  isOfSignals: boolean;
}) {
  const kindLabel = isOfSignals && kind === "seller" ? "Account" : kindLabels[kind];
  return (
    <li className="py-4 first:pt-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Link
          to={`/manage/moderation/${kind}/${targetId}`}
          className="link min-w-0 text-lg font-medium wrap-anywhere"
        >
          {name}
        </Link>
        {reports > 0 && (
          <span className="font-medium tabular-nums">
            {reports === 1 ? "1 report" : `${reports} reports`}
          </span>
        )}
      </p>
      <p className="text-sm text-quiet wrap-anywhere">
        {kindLabel}
        {kind !== "seller" && (
          <>
            , {kind === "message" ? "from" : "by"} <bdi>{ownerName}</bdi>
          </>
        )}
        , {isOfSignals ? "found" : "since"} <time dateTime={since}>{dayLabel(since)}</time>
      </p>
      {text && (
        <p className="mt-1 line-clamp-2 wrap-anywhere">{reports > 0 ? text.replaceAll(",", ", ") : text}</p>
      )}
      {isOfSignals ? (
        <ul className="mt-1">
          {signals.map((signal) => (
            <li key={signal.kind}>{signalText(signal)}</li>
          ))}
        </ul>
      ) : (
        signals.length > 0 && (
          <p className="mt-1 text-sm">
            {signals.length === 1 ? "Signal" : "Signals"}: {signals.map((signal) => signal.kind).join(", ")}
          </p>
        )
      )}
    </li>
  );
}
