import { readAtMost } from "../http/body.server.ts";

/** So much of what is too large is read and dropped; Cloudflare itself passes on no more. */
const mostDropped = 100 * 1024 * 1024;

/** Routes that receive photos and read the body themselves, with a limit of their own. */
const uploadPath = /^\/manage\/mysells\/[^/]+\/photos(\/upload)?\/?$/i;

/** Whether a request uploads files, so that the limit for forms does not apply. */
export function isUpload({ method, headers, url }: Request): boolean {
  const isUrlEncoded = /^application\/x-www-form-urlencoded\b/i.test(headers.get("Content-Type") ?? "");
  return method === "POST" && !isUrlEncoded && uploadPath.test(new URL(url).pathname);
}

/** Whether a form that was posted may bring files. */
export function bringsFiles(request: Request): boolean {
  return /^multipart\/form-data\b/i.test(request.headers.get("Content-Type") ?? "");
}

/**
 * Reads the files of one field of a posted form.
 *
 * @param most so many bytes the whole form may have
 * @returns null when it has more
 * @throws Response 400 when the body is not the form its headers promise
 */
export async function readFiles(request: Request, field: string, most: number): Promise<File[] | null> {
  const { body, headers } = request;
  if (!body) return [];
  if (Number(headers.get("Content-Length")) > most) {
    await readAtMost(body, 0, mostDropped);
    return null;
  }
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > most) controller.error(new RangeError("The form is too large."));
        else controller.enqueue(chunk);
      },
    }),
  );
  try {
    const type = headers.get("Content-Type") ?? "";
    const form = await new Response(counted, { headers: { "Content-Type": type } }).formData();
    // A chooser in which nothing was chosen sends a file without name and content.
    return form
      .getAll(field)
      .filter((value) => value instanceof File && (value.name || value.size)) as File[];
  } catch {
    if (size > most) return null;
    throw new Response("This is not a form.", { status: 400 });
  }
}

/** Reads a file that is the whole body of a request; null when it has more bytes than it may. */
export async function readFile(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!request.body) return new Uint8Array();
  const read = await readAtMost(request.body, most, mostDropped);
  return read && new Uint8Array(read);
}
