import { unstable_parseMultipartFormData as parseMultipart, type UploadHandler } from "@remix-run/cloudflare";

/** As much as any form of ours. */
const maxTextBytes = 1024 * 1024;

/** Reads the texts of a form whose files are too large. What files contain is dropped as it arrives. */
export async function readTextFields(request: Pick<Request, "headers" | "body">): Promise<FormData> {
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
  const { headers, body } = request;
  if (!body) return new FormData();
  const read = { headers, body: body.pipeThrough(plainNames()) };
  // None if it is not valid.
  return parseMultipart(read as Request, textOf).catch(() => new FormData());
}

const beforeName = new TextEncoder().encode('"; filename="');
const [quote, semicolon, comma] = new TextEncoder().encode('";,');

/** The parser does not read names of files that have a semicolon. Browsers write no quotes in them. */
function plainNames(): TransformStream<Uint8Array, Uint8Array> {
  let matched = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const changed = chunk.map((byte) => {
        if (matched === beforeName.length) {
          if (byte === quote) matched = 0;
          return byte === semicolon ? (comma ?? byte) : byte;
        }
        matched = byte === beforeName[matched] ? matched + 1 : Number(byte === quote);
        return byte;
      });
      controller.enqueue(changed);
    },
  });
}
