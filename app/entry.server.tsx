import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server.browser";
import { logFault } from "./platform/log.server.ts";
import { RequestMarksContext } from "./platform/request-marks.ts";

export default async function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, reference }: AppLoadContext,
): Promise<Response> {
  const stream = await renderToReadableStream(
    <RequestMarksContext.Provider value={{ nonce, reference }}>
      <RemixServer context={remixContext} url={request.url} nonce={nonce} />
    </RequestMarksContext.Provider>,
    { nonce, signal: request.signal, onError: (fault) => logFault(fault, reference) },
  );
  // Whole pages only: markup that arrives late would need JavaScript to be put in its place.
  await stream.allReady;
  const html = await new Response(stream).text();
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(withScriptsInBody(html), { status, headers });
}

/** Remix puts the scripts that carry its data behind the document's end, where HTML allows nothing. */
function withScriptsInBody(html: string): string {
  const end = "</body></html>";
  return html.replace(end, "") + end;
}

export const handleError: HandleErrorFunction = (fault, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(fault)) return;
  logFault(fault, context.reference);
};
