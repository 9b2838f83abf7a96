// Baseline L0: the list page as a constant.

/** @type {ExportedHandler<{ PAGE: string }>} */
export default {
  fetch: (_request, { PAGE }) =>
    new Response(PAGE, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
};
