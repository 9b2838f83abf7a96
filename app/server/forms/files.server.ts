import { readAtMost } from "../http/body.server.ts";

/** How many bytes of a request that is too large are read and discarded; Cloudflare passes on no more. */
const maxDiscardedBytes = 100 * 1024 * 1024;

/** Routes that read photo uploads themselves, with their own size limit. */
const uploadPath = /^\/manage\/mysells\/[^/]+\/photos(\/upload)?\/?$/i;

/** Whether a request uploads files, so that the size limit of forms does not apply. */
export function isUpload({ method, headers, url }: Request): boolean {
  const isUrlEncoded = /^application\/x-www-form-urlencoded\b/i.test(headers.get("Content-Type") ?? "");
  return method === "POST" && !isUrlEncoded && uploadPath.test(new URL(url).pathname);
}

/** Whether a form was posted as multipart, as forms with files are. */
export function isMultipart(request: Request): boolean {
  return /^multipart\/form-data\b/i.test(request.headers.get("Content-Type") ?? "");
}

/**
 * Reads the files in one field of a posted form.
 *
 * @param maxBytes limit for the whole form
 * @returns null if the form is larger
 * @throws Response 400 if the body is not a valid form
 */
export async function readFiles(request: Request, field: string, maxBytes: number): Promise<File[] | null> {
  const { body, headers } = request;
  if (!body) return [];
  if (Number(headers.get("Content-Length")) > maxBytes) {
    await readAtMost(body, 0, maxDiscardedBytes);
    return null;
  }
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > maxBytes) controller.error(new RangeError("The form is too large."));
        else controller.enqueue(chunk);
      },
    }),
  );
  try {
    const type = headers.get("Content-Type") ?? "";
    const form = await new Response(counted, { headers: { "Content-Type": type } }).formData();
    // An empty file input sends one file without name and content.
    return form
      .getAll(field)
      .filter((value) => value instanceof File && (value.name || value.size)) as File[];
  } catch {
    if (size > maxBytes) return null;
    throw new Response("The request body is not a valid form.", { status: 400 });
  }
}

/** Reads a file that is the whole body of a request; null if it is larger than `maxBytes`. */
export async function readFile(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!request.body) return new Uint8Array();
  const read = await readAtMost(request.body, maxBytes, maxDiscardedBytes);
  return read && new Uint8Array(read);
}
