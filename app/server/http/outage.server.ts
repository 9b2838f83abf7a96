import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { isOutage } from "#app/db/outage.ts";
import { redirectWithToast } from "../forms/flash.server.ts";
import type { FormRefusal } from "../forms/forms.server.ts";
import { busyRetryAfter, busyText, HashingBusyError } from "../forms/hashing-busy-error.ts";
import { outageText } from "../forms/refused-form.ts";
import { hasKeepableFields, postedTexts, unsentForm } from "../forms/unsent-form.server.ts";
import { logError } from "../logging/log.server.ts";
import { safeRedirect } from "./paths.ts";
import { acceptsHtml } from "./request.server.ts";

const outage: FormRefusal = { status: 503, formErrors: [outageText] };

const busy: FormRefusal = { status: 503, formErrors: [busyText], retryAfter: busyRetryAfter };

/** Most outages end within these seconds. */
export const retryAfter = { "Retry-After": "5" };

const unavailable = {
  status: 503,
  statusText: "Service Unavailable",
  headers: retryAfter,
};

/** Runs `work`. If the database is unreachable or too many passwords are being hashed, returns the result of `onOutage`. */
export async function unlessOutage<Result, Fallback>(
  { reference }: { reference: string },
  work: () => Promise<Result>,
  onOutage: (refusal: FormRefusal) => Fallback,
): Promise<Result | Fallback> {
  try {
    return await unlessBusy(work, onOutage);
  } catch (error) {
    if (!isOutage(error)) throw error;
    logError(error, reference);
    return onOutage(outage);
  }
}

/** Runs `work`. If too many passwords are being hashed, returns the result of `onBusy`. */
export async function unlessBusy<Result, Fallback>(
  work: () => Promise<Result>,
  onBusy: (refusal: FormRefusal) => Fallback,
): Promise<Result | Fallback> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HashingBusyError) return onBusy(busy);
    throw error;
  }
}

type Handler<Args, Result> = (args: Args) => Promise<Result>;

/** Wraps a page's loader or action: an outage shows the error page, which can submit a posted form again. */
export function withOutagePage<Args extends LoaderFunctionArgs | ActionFunctionArgs, Result>(
  handle: Handler<Args, Result>,
): Handler<Args, Result> {
  return async (args) => {
    const posted = hasKeepableFields(args.context, args.request) ? args.request.clone() : null;
    return unlessOutage(
      args.context,
      () => handle(args),
      async () => {
        if (!posted) throw new Response(`${outageText}\n`, unavailable);
        throw json({ unsent: unsentForm(posted.url, await postedTexts(posted)) }, unavailable);
      },
    );
  };
}

/** Wraps an action without a page: in an outage a browser goes back with a toast, and a script gets 503. */
export function withOutageRedirect<Result>(handle: Handler<ActionFunctionArgs, Result>) {
  return async (args: ActionFunctionArgs) =>
    unlessOutage(
      args.context,
      () => handle(args),
      () => redirectBack(args),
    );
}

function redirectBack({ request, context }: ActionFunctionArgs) {
  if (!acceptsHtml(request)) throw new Response(`${outageText}\n`, unavailable);
  const referrer = request.headers.get("Referer");
  const from = referrer && URL.canParse(referrer) ? new URL(referrer) : null;
  const isOurs = from?.origin === new URL(request.url).origin;
  const back = isOurs ? safeRedirect(from.pathname + from.search) : "/";
  return redirectWithToast(context, back, { kind: "error", message: outageText });
}

/** Adds Retry-After to 503 responses: Remix drops the headers of thrown responses. */
export function withRetryAfter(response: Response): Response {
  if (response.status !== 503 || response.headers.has("Retry-After")) return response;
  for (const [name, value] of Object.entries(retryAfter)) response.headers.set(name, value);
  return response;
}
