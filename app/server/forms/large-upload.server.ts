import { unstable_parseMultipartFormData as parseMultipart, type UploadHandler } from "@remix-run/cloudflare";

/** As much as any form of ours. */
const maxTextBytes = 1024 * 1024;

/** Reads the texts of a form whose files are too large. What files contain is dropped as it arrives. */
export async function readTexts(request: Pick<Request, "headers" | "body">): Promise<FormData> {
  let left = maxTextBytes;
  const textOf: UploadHandler = async ({ filename, data }) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of data) {
      if (filename !== undefined) continue;
      left -= chunk.byteLength;
      if (left >= 0) chunks.push(new Uint8Array(chunk));
    }
    return filename === undefined && left >= 0 ? new Blob(chunks).text() : undefined;
  };
  // None if it is not valid, or a file has a name that the parser does not read, such as one with a semicolon.
  return parseMultipart(request as Request, textOf).catch(() => new FormData());
}
