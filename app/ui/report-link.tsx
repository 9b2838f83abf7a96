import { Link } from "./link.tsx";

/** Leads to the form that reports a listing, seller, review or message to the moderators. */
export function ReportLink({ kind, id, label }: { kind: string; id: string; label?: string }) {
  return (
    <Link to={`/report/${kind}/${id}`} rel="nofollow" aria-label={label} className="link text-sm text-quiet">
      {kind === "review" || kind === "message" ? "Report" : `Report this ${kind}`}
    </Link>
  );
}
