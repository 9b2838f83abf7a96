// Baseline L0c: the list page from the cache, which the first request fills.

/** @type {ExportedHandler<{ PAGE: string }>} */
export default {
  async fetch(request, { PAGE }) {
    const cache = /** @type {{ default: Cache }} */ (/** @type {unknown} */ (caches)).default;
    const cached = await cache.match(request.url);
    if (cached) return cached;
    const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "public, max-age=3600" };
    await cache.put(request.url, new Response(PAGE, { headers }));
    return new Response(PAGE, { headers });
  },
};
