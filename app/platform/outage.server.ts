import type { ActionFunctionArgs, LoaderFunctionArgs, ServerBuild } from "@remix-run/cloudflare";
import { isOutage } from "#app/db/unreachable.ts";
import { redirectWithToast } from "./flash.server.ts";
import type { FormRefusal } from "./forms.server.ts";
import { logFault } from "./log.server.ts";
import { networkFailed } from "./network-failure.ts";
import { safeRedirect } from "./safe-redirect.ts";
import { unsentForm } from "./unsent-form.server.ts";

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

/**
 * The pages, of which each answers 503 when its loader or action did not reach the database. The error page is given
 * what was posted. What has no page of its own leads back to where the form stood, and says so there.
 */
export function answeringOutages(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = { ...route.module };
    const isPage = module.default !== undefined;
    if (loader) module.loader = answering(loader as Door, refuseVisit) as typeof loader;
    if (action) {
      const taking = isPage ? takingForms(action as Door) : answering(action as Door, sendBack);
      module.action = taking as typeof action;
    }
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

/** @param otherwise how to answer when the database was out of reach */
function answering(door: Door, otherwise: (args: Args) => unknown): Door {
  const answer: Door = async (args) => {
    try {
      return await door(args);
    } catch (fault) {
      if (!isOutage(fault)) throw fault;
      logFault(fault, args.context.reference);
      return otherwise(args);
    }
  };
  // What a route says about itself rides on its loader.
  return Object.assign(answer, door);
}

const status = { status: 503, statusText: "Service Unavailable" };

function refuseVisit(): never {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...retryAfter };
  throw new Response(`${awayText}\n`, { ...status, headers });
}

/** The action of a page; while the database is out of reach its error page has what was typed. */
function takingForms(action: Door): Door {
  return async (args) => {
    const { url, method, headers, signal } = args.request;
    if (!headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded")) {
      return answering(action, refuseVisit)(args);
    }
    const body = await args.request.arrayBuffer();
    const request = new Request(url, { method, headers, signal, body });
    const refuseForm = async ({ context }: Args) => {
      const unsent = unsentForm(url, new URLSearchParams(new TextDecoder().decode(body)));
      // Where an action fails, nothing is loaded that would tell.
      const session = await context.cookies.session.getSession(headers.get("Cookie"));
      throw Response.json(
        { unsent, signedIn: session.has("sessionId") },
        { ...status, headers: { "Cache-Control": "no-store", ...retryAfter } },
      );
    };
    return answering(action, refuseForm)({ ...args, request });
  };
}

/** A browser without our scripts goes back to the page that its form stood on; a script is told. */
function sendBack({ request, context }: Args): unknown {
  const { headers, url } = request;
  if (!/\btext\/html\b/i.test(headers.get("Accept") ?? "")) return refuseVisit();
  const referrer = headers.get("Referer");
  const from = referrer && URL.canParse(referrer) ? new URL(referrer) : null;
  const isOurs = from?.origin === new URL(url).origin;
  const back = isOurs ? safeRedirect(from.pathname + from.search) : "/";
  return redirectWithToast(context, back, { kind: "error", message: networkFailed });
}

/** Whoever is told that the database is out of reach is told when to come back. */
export function withRetryAfter(answer: Response): Response {
  if (answer.status !== 503 || answer.headers.has("Retry-After")) return answer;
  for (const [name, value] of Object.entries(retryAfter)) answer.headers.set(name, value);
  return answer;
}
