// L0: the same bytes as our page, and nothing else.

/** @type {ExportedHandler<{ PAGE: string }>} */
export default {
  fetch: (_request, { PAGE }) =>
    new Response(PAGE, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
};
