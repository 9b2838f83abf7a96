import type { RequestContext } from "./request-context.server.ts";

/**
 * A path of this site as an absolute address, for what is read elsewhere. The host is the configured
 * `PUBLIC_ORIGIN`, else the one the request was sent to: Cloudflare hands us only requests for hosts of the
 * deployment, but a server that does not would let anybody choose the host in another's mail.
 */
export function publicAddress(context: RequestContext, request: Request, path: string): string {
  return new URL(path, publicOrigin(context, request)).href;
}

/** The origin this site is known by: the configured `PUBLIC_ORIGIN`, else the one the request was sent to. */
export function publicOrigin({ environment }: RequestContext, request: Request): string {
  return environment.PUBLIC_ORIGIN ?? new URL(request.url).origin;
}
