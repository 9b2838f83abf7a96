import type { Environment } from "../config/environment.server.ts";

export function isUrlEncoded({ headers }: Pick<Request, "headers">): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers.get("Content-Type") ?? "");
}

export function isMultipart({ headers }: Pick<Request, "headers">): boolean {
  return /^multipart\/form-data\b/i.test(headers.get("Content-Type") ?? "");
}

export function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get("Accept") ?? "");
}

/** Whether a browser loads a page before its user opens it. */
export function isPrefetch({ headers }: Request): boolean {
  return /prefetch|prerender/.test(headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? "");
}

/** Compares entity tags weakly. @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function etagMatches(request: Request, etag: string): boolean {
  const known = request.headers.get("If-None-Match");
  if (known === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return known.trim() === "*" || known.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Reads a body, or returns null if it exceeds `maxBytes`. The rest is discarded up to `maxDiscardedBytes`, so that
 * the client finishes sending and receives the error response. @throws Error if the client stops sending
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  maxDiscardedBytes: number,
): Promise<ArrayBuffer | null> {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size <= maxBytes) chunks.push(read.value as Uint8Array<ArrayBuffer>);
    else chunks.length = 0;
    if (size > maxDiscardedBytes) {
      await reader.cancel();
      break;
    }
  }
  return size > maxBytes ? null : new Blob(chunks).arrayBuffer();
}

interface HasEnvironment {
  environment: Environment;
}

/** Turns a path of this site into an absolute URL for emails, feeds and search engines. */
export function publicUrl(context: HasEnvironment, request: Request, path: string): string {
  return new URL(path, publicOrigin(context, request)).href;
}

/**
 * The site's public origin: `PUBLIC_ORIGIN`, else the request's. Set it wherever the server accepts any Host header,
 * or a forged one would get into emails; Cloudflare only passes on the deployment's hosts.
 */
export function publicOrigin({ environment }: HasEnvironment, request: Request): string {
  return environment.PUBLIC_ORIGIN ?? new URL(request.url).origin;
}

/** The host of the site's own links. */
export function ownHostOf(context: HasEnvironment, request: Request): string {
  return new URL(publicOrigin(context, request)).host;
}
