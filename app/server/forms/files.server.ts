import { isMultipart, readAtMost } from "../http/request.server.ts";
import { badRequest } from "../http/responses.server.ts";
import { readForm } from "./forms.server.ts";
import { maxUploadMegabytes } from "./upload-limit.ts";

/** Cloudflare accepts no larger bodies. */
const maxDiscardedBytes = 100 * 1024 * 1024;

export const maxUploadBytes = maxUploadMegabytes * 1024 * 1024;

interface Upload {
  form: FormData;
  /** Whether it is larger than `maxUploadBytes`: then it has no files. */
  isTooLarge: boolean;
}

/**
 * Reads a form that may have files.
 * @throws Response 400 if the body is not a valid form
 */
export async function readUpload(request: Pick<Request, "headers" | "body" | "formData">): Promise<Upload> {
  const { body, headers } = request;
  if (!isMultipart(request)) return { form: await readForm(request), isTooLarge: false };
  if (!body) return { form: new FormData(), isTooLarge: false };
  if (Number(headers.get("Content-Length")) > maxUploadBytes) {
    // Loaded on demand: few forms are that large.
    const { readTextFields } = await import("./large-upload.server.ts");
    return { form: await readTextFields(request), isTooLarge: true };
  }
  let size = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > maxUploadBytes) controller.error(new RangeError("The form is too large."));
        else controller.enqueue(chunk);
      },
    }),
  );
  try {
    const type = headers.get("Content-Type") ?? "";
    const form = await new Response(counted, { headers: { "Content-Type": type } }).formData();
    return { form, isTooLarge: false };
  } catch {
    if (size > maxUploadBytes) return { form: new FormData(), isTooLarge: true };
    throw badRequest("The request body is not a valid form.");
  }
}

/** The files in one field of a form. An empty file input sends one file without name and content. */
export function filesIn(form: FormData, field: string): File[] {
  const values = form.getAll(field) as (File | string)[];
  return values.filter((value) => value instanceof File && (value.name || value.size)) as File[];
}

/** Whether a body is said to be a file. What it is, its content decides. */
export function isFile({ headers }: Request): boolean {
  return /^(image\/|application\/octet-stream\b)/i.test(headers.get("Content-Type") ?? "");
}

/**
 * Reads a body that is a file; null if it is larger than `maxBytes`.
 * @throws Response 400 if the client stopped sending it
 */
export async function readFile(
  { body }: Pick<Request, "body">,
  maxBytes: number,
  discardedBytes = maxDiscardedBytes,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return new Uint8Array();
  const read = await readAtMost(body, maxBytes, discardedBytes).catch(() => {
    throw badRequest("The request body is incomplete.");
  });
  return read && new Uint8Array(read);
}
