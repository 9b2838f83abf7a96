// L0c: a bare look into the cache, which the first request fills with the same bytes as our page.

/** @type {ExportedHandler<{ PAGE: string }>} */
export default {
  async fetch(request, { PAGE }) {
    const cache = /** @type {{ default: Cache }} */ (/** @type {unknown} */ (caches)).default;
    const kept = await cache.match(request.url);
    if (kept) return kept;
    const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "public, max-age=3600" };
    await cache.put(request.url, new Response(PAGE, { headers }));
    return new Response(PAGE, { headers });
  },
};
