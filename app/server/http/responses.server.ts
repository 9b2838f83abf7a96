export function plainText(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

/** The 404 response, also for what belongs to another user. */
export function notFound(): Response {
  return plainText(404, "Not found.");
}

/** The 400 response to a malformed request, which our pages never send. */
export function badRequest(text = "Invalid request."): Response {
  return plainText(400, text);
}

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
