import type { EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";
import { dataInMarkup, type PageData, pageDataElement, toJson } from "./page-data.ts";

/**
 * The scripts of a page, in place of Remix's own: its data as JSON, which no browser runs, and modules, which
 * wait until the page is shown. Remix writes its data as program text, of twice the size.
 */
export function pageScripts(remix: EntryContext, nonce: string): string {
  const { manifest, staticHandlerContext } = remix;
  const routes = staticHandlerContext.matches.map(({ route }) => route.id);
  // An error replaces the markup of the routes below its boundary, and their modules may be at fault.
  const modules = routes.flatMap((id) => {
    const route = manifest.routes[id];
    return route ? [...(route.imports ?? []), route.module] : [];
  });
  const { hmr } = manifest as { hmr?: { runtime?: string } };
  const first = [hmr?.runtime, manifest.url].filter((url) => url !== undefined);
  const preloads = new Set([...manifest.entry.imports, ...modules]);
  const inOrder = [...first, manifest.entry.module];
  return [
    ...[...preloads].map((url) => `<link rel="modulepreload" href="${url}"/>`),
    `<script nonce="${nonce}" type="application/json" id="${pageDataElement}">`,
    // Nothing in it may end the element.
    toJson(pageData(remix, routes)).replaceAll("<", "\\u003c"),
    "</script>",
    ...inOrder.map((url) => `<script nonce="${nonce}" type="module" src="${url}"></script>`),
  ].join("");
}

function pageData(remix: EntryContext, routes: string[]): PageData {
  const { loaderData, actionData, errors } = remix.staticHandlerContext;
  return {
    context: JSON.parse(remix.serverHandoffString ?? "{}"),
    routes,
    state: {
      loaderData: errors ? loaderData : withoutMarkup(loaderData, remix),
      actionData,
      errors: errors && Object.fromEntries(Object.entries(errors).map(([id, error]) => [id, plainly(error)])),
    },
  };
}

function withoutMarkup(loaderData: Record<string, unknown>, { routeModules }: EntryContext) {
  const all = Object.entries(loaderData).map(([id, data]) => {
    const found = data ? dataInMarkup(routeModules[id]?.handle) : undefined;
    return [id, found ? found.leaveOut(data) : data];
  });
  return Object.fromEntries(all);
}

/** An error as Remix reads it in the browser; what it says inside is the server's business. */
function plainly(error: unknown): unknown {
  if (isRouteErrorResponse(error)) {
    const { status, statusText, data } = error;
    return { status, statusText, data, __type: "RouteErrorResponse" };
  }
  if (error instanceof Error) return { message: error.message, __type: "Error" };
  return error;
}
