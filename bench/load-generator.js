// Generates load in a process of its own. bench/http.ts sends the loads as messages.
// @ts-expect-error: the package has no types.
import autocannon from "autocannon";

/**
 * @typedef {{ url: string, seconds?: number, requests?: number, connections: number,
 *   headers?: Record<string, string>, bodies?: string[] }} Load
 */

process.on(
  "message",
  async (/** @type {Load} */ { url, seconds, requests, connections, headers, bodies }) => {
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
        : requests
          ? { amount: requests }
          : { duration: seconds }),
    });
    // autocannon stops at a whole second, after the last response.
    running.on("response", () => {
      end = performance.now();
    });
    const result = await running;
    process.send?.({ rate: (1000 * result["2xx"]) / (end - start), failed: result.non2xx + result.errors });
  },
);
