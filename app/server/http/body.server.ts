/**
 * Reads a body, or returns null if it exceeds `maxBytes`. The rest is discarded up to `maxDiscardedBytes`, so that
 * the client finishes sending and receives the error response.
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
