// The load: a process of its own, which bench/http.ts starts on a core of its own and tells what to send.
// @ts-expect-error: it brings no types.
import autocannon from "autocannon";

/**
 * @typedef {{ url: string, seconds?: number, connections: number, headers?: Record<string, string>,
 *   bodies?: string[] }} Load
 */

process.on("message", async (/** @type {Load} */ { url, seconds, connections, headers, bodies }) => {
  let next = 0;
  const setupRequest = (/** @type {object} */ request) => ({ ...request, body: bodies?.[next++] });
  const start = performance.now();
  let end = start;
  const running = autocannon({
    url,
    connections,
    headers,
    ...(bodies
      ? { amount: bodies.length, requests: [{ method: "POST", setupRequest }] }
      : { duration: seconds ?? 1 }),
  });
  // It ends with a second of the clock; the last answer comes before.
  running.on("response", () => {
    end = performance.now();
  });
  const result = await running;
  process.send?.({ rate: (1000 * result["2xx"]) / (end - start), refused: result.non2xx + result.errors });
});
