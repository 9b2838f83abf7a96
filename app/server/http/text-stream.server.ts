/** Streams text. The first chunk is generated at once, so that an early error can still change the status. */
export async function streamText(text: AsyncGenerator<string, void>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let next = await text.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // An empty chunk does not satisfy a pull, and the stream would not pull again.
      while (!next.done && next.value === "") next = await text.next();
      if (!next.done) {
        controller.enqueue(encoder.encode(next.value));
        next = await text.next();
      }
      if (next.done) controller.close();
    },
    async cancel() {
      await text.return();
    },
  });
}
