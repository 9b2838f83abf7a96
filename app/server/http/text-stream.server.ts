/**
 * Text that is made piece by piece, as the body of an answer: a piece is asked for when the client has taken the
 * one before. The first is made before anything is answered, so that what fails by then still gets an honest
 * status.
 */
export async function streamOf(text: AsyncGenerator<string, void>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let next = await text.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // An empty piece answers no request for one, and the stream would never be asked again.
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
