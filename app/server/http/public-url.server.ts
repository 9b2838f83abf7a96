import type { RequestContext } from "./request-context.server.ts";

/** Turns a path of this site into an absolute URL for emails, feeds and search engines. */
export function publicUrl(context: RequestContext, request: Request, path: string): string {
  return new URL(path, publicOrigin(context, request)).href;
}

/**
 * The site's public origin: `PUBLIC_ORIGIN`, else the request's. Set it wherever the server accepts any Host header,
 * or a forged one would get into emails; Cloudflare only passes on the deployment's hosts.
 */
export function publicOrigin({ environment }: RequestContext, request: Request): string {
  return environment.PUBLIC_ORIGIN ?? new URL(request.url).origin;
}
