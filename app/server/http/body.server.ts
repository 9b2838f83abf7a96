/**
 * Reads a body of so many bytes at most. What is over the limit is read and dropped, up to another, so that its
 * sender is done and hears the refusal.
 *
 * @returns null when there is more
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array>,
  most: number,
  mostDropped: number,
): Promise<ArrayBuffer | null> {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size <= most) chunks.push(read.value as Uint8Array<ArrayBuffer>);
    else chunks.length = 0;
    if (size > mostDropped) {
      await reader.cancel();
      break;
    }
  }
  return size > most ? null : new Blob(chunks).arrayBuffer();
}
