import type { AppLoadContext } from "@remix-run/cloudflare";
import type { PasskeySite } from "#app/features/accounts/passkeys.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { publicOrigin } from "#app/server/http/public-address.server.ts";

/**
 * The site that passkeys are made for, and good at; null at any other host of the deployment than its public
 * one, and at a host that is a number, which no passkey can be made for. A request's host is believed for what
 * it is: a passkey answers for the host that its browser has seen, and for no other.
 */
export function passkeySite(context: AppLoadContext, request: Request): PasskeySite | null {
  const origin = publicOrigin(context, request);
  const { hostname } = new URL(origin);
  const isNumber = /^[\d.]+$|:/.test(hostname);
  return origin === new URL(request.url).origin && !isNumber ? { id: hostname, origin } : null;
}

/** Answers with a question for the browser's passkeys; the browser keeps its token. */
export async function askPasskey(
  { cookies }: AppLoadContext,
  { options, token }: { options: object; token: string },
): Promise<Response> {
  return Response.json({ options }, { headers: { "Set-Cookie": await cookies.passkey.serialize(token) } });
}

/** The token of the question that the browser was asked last; empty when there is none. */
export async function askedToken({ cookies }: AppLoadContext, request: Request): Promise<string> {
  const token: unknown = await cookies.passkey.parse(request.headers.get("Cookie"));
  return typeof token === "string" ? token : "";
}

/** Lets the browser forget its question. */
export async function forgetQuestion({ cookies }: AppLoadContext): Promise<Headers> {
  return new Headers({ "Set-Cookie": await cookies.passkey.serialize("", { maxAge: 0 }) });
}

/** A redirect for the page's own script, which cannot see where a redirect of HTTP leads. */
export function leadOn(redirected: Response): Response {
  const headers = new Headers(redirected.headers);
  const to = headers.get("Location");
  headers.delete("Location");
  return Response.json({ to }, { headers });
}

/** Says in words why it did not work. */
export function refusePasskey({ status = 400, formErrors = [], retryAfter }: FormRefusal): Response {
  const headers = retryAfter === undefined ? undefined : { "Retry-After": String(retryAfter) };
  return Response.json({ error: formErrors.join(" ") }, { status, headers });
}
