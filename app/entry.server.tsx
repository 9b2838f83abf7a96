import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server.browser";
import { ServerRenderContext } from "./server/http/server-render-context.ts";
import { logError } from "./server/logging/log.server.ts";

/** Renders a page to a string, which takes less than half the time of a stream in workerd. No page streams data. */
export default function handleDocumentRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, reference }: AppLoadContext,
): Response {
  const html = renderToString(
    <ServerRenderContext.Provider value={{ nonce, reference }}>
      <RemixServer context={remixContext} url={request.url} />
    </ServerRenderContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

/** Logs each error that is answered with 500, unless the client is gone: the log of requests has 499 then. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  if (!isRouteErrorResponse(error)) logError(error, context.reference);
  else if (error.status === 500) logError(new Error("A route answered 500."), context.reference);
};
