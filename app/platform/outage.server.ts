import type { FormRefusal } from "./forms.server.ts";
import { logFault } from "./log.server.ts";
import { networkFailed } from "./network-failure.ts";

/** How a form is answered while the database is out of reach: the same form may be sent again. */
const outage: FormRefusal = { status: 503, formErrors: [networkFailed] };

/**
 * Does `work`, which needs the database, and hands to `otherwise` how to answer when that cannot be reached;
 * the fault is logged.
 *
 * @throws whatever else goes wrong
 */
export async function unlessOutage<Done, Refused>(
  { reference }: { reference: string },
  work: () => Promise<Done>,
  otherwise: (refusal: FormRefusal) => Refused,
): Promise<Done | Refused> {
  try {
    return await work();
  } catch (fault) {
    if (!isOutage(fault)) throw fault;
    logFault(fault, reference);
    return otherwise(outage);
  }
}

/** What libSQL's client calls a server that answers nothing, or nothing but that it is ill. */
const outageCodes = ["SERVER_ERROR", "HRANA_CLOSED_ERROR", "HRANA_WEBSOCKET_ERROR"];

/** How the runtime and D1 word it. @see https://developers.cloudflare.com/d1/observability/debug-d1/ */
const outageWords =
  /network connection lost|internal error in d1|d1 db (reset|storage operation exceeded|is overloaded)|cannot resolve d1|storage caused object to be reset|fetch failed|internal error; reference/i;

/** Whether a fault, or what caused it, says that the database could not be reached; not that it said no. */
export function isOutage(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  const { code } = fault as { code?: unknown };
  const own = outageCodes.includes(String(code)) || outageWords.test(ownWords(fault));
  return own || isOutage(fault.cause);
}

/** Without what a wrapper adds, which may be a visitor's own words. */
function ownWords({ message, cause }: Error): string {
  return cause === undefined ? message : "";
}
