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
