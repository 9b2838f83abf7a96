import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server.browser";
import { logFault } from "./platform/log.server.ts";
import { writeMarkup } from "./platform/markup-memory.server.ts";
import { pageScripts } from "./platform/page-scripts.server.ts";
import { RequestMarksContext } from "./platform/request-marks.ts";
import { KeptMarkupContext } from "./ui/kept-markup.tsx";

export default async function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, reference }: AppLoadContext,
): Promise<Response> {
  // Whole pages only, which have all their data: markup that arrives late would need JavaScript to be put in
  // its place, and a stream costs about twice the time.
  const html = renderToString(
    <RequestMarksContext.Provider value={{ nonce, reference }}>
      <KeptMarkupContext.Provider value={import.meta.env.DEV ? null : writeMarkup}>
        <RemixServer context={withoutStream(remixContext)} url={request.url} />
      </KeptMarkupContext.Provider>
    </RequestMarksContext.Provider>,
  );
  const end = "</body></html>";
  const scripts = pageScripts(remixContext, nonce);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(`<!DOCTYPE html>${html.slice(0, -end.length)}${scripts}${end}`, { status, headers });
}

/** Remix would stream its data in scripts; ours carry it. */
function withoutStream(remixContext: EntryContext): EntryContext {
  return { ...remixContext, serverHandoffStream: undefined };
}

export const handleError: HandleErrorFunction = (fault, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(fault)) return;
  logFault(fault, context.reference);
};
