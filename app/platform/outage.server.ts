import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/cloudflare";
import { isOutage } from "#app/db/unreachable.ts";
import type { FormRefusal } from "./forms.server.ts";
import { logFault } from "./log.server.ts";
import { networkFailed } from "./network-failure.ts";

/** How a form is answered while the database is out of reach: the same form may be sent again. */
const outage: FormRefusal = { status: 503, formErrors: [networkFailed] };

/** How programs are told that the database is out of reach. */
export const awayText = "The database is out of reach. Nothing was done by halves; try again in a moment.";

/** When to come back, in seconds: most outages are over by then. */
export const retryAfter = { "Retry-After": "5" };

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

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type Door = (args: Args) => unknown;

/** The pages, of which each answers 503 when its loader or action did not reach the database. */
export function answeringOutages(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = { ...route.module };
    if (loader) module.loader = answering(loader as Door) as typeof loader;
    if (action) module.action = answering(action as Door) as typeof action;
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function answering(door: Door): Door {
  const answer: Door = async (args) => {
    try {
      return await door(args);
    } catch (fault) {
      if (!isOutage(fault)) throw fault;
      logFault(fault, args.context.reference);
      throw new Response(`${awayText}\n`, {
        status: 503,
        statusText: "Service Unavailable",
        headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...retryAfter },
      });
    }
  };
  // What a route says about itself rides on its loader.
  return Object.assign(answer, door);
}

/** Whoever is told that the database is out of reach is told when to come back. */
export function withRetryAfter(answer: Response): Response {
  if (answer.status !== 503 || answer.headers.has("Retry-After")) return answer;
  for (const [name, value] of Object.entries(retryAfter)) answer.headers.set(name, value);
  return answer;
}
