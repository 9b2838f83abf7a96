import type { EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";
import { dataInMarkup, type PageData, pageDataElement, toJson } from "./page-data.ts";

/**
 * The scripts of a page, in place of Remix's own: its data as JSON, which no browser runs, and modules. Remix
 * writes its data as program text, of twice the size.
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
    `<script nonce="${nonce}" type="application/json" id="${pageDataElement}">`,
    pageData(remix, routes),
    "</script>",
    `<script nonce="${nonce}" type="module">${oncePainted(inOrder, [...preloads])}</script>`,
  ].join("");
}

/** How long pictures may keep scripts waiting, in milliseconds: a stranger's server may never answer. */
const longestWait = 1500;

/**
 * Loads modules when the page has been painted with its first pictures, so that on a slow network they take nothing
 * from its styles and from these; a page that nobody looks at yet paints nothing, and has time.
 *
 * @param inOrder run one after the other
 * @param ahead what these will ask for
 */
function oncePainted(inOrder: string[], ahead: string[]): string {
  return `const shown=[new Promise(all=>addEventListener("load",all)),new Promise(late=>setTimeout(late,${longestWait}))];
if(!document.hidden){await Promise.race(shown);if(!document.hidden)await new Promise(next=>requestAnimationFrame(()=>setTimeout(next)))}
for(const href of ${JSON.stringify([...ahead, ...inOrder])})document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));
for(const url of ${JSON.stringify(inOrder)})await import(url)`;
}

/** A page's `PageData` as JSON, in which nothing ends an element. */
function pageData(remix: EntryContext, routes: string[]): string {
  const { loaderData, actionData, errors } = remix.staticHandlerContext;
  const rest: Omit<PageData, "context"> = {
    routes,
    state: {
      loaderData: errors ? loaderData : withoutMarkup(loaderData, remix),
      actionData,
      errors: errors && Object.fromEntries(Object.entries(errors).map(([id, error]) => [id, plainly(error)])),
    },
  };
  // Remix has put its settings into JSON already.
  return `{"context":${remix.serverHandoffString ?? "{}"},${toJson(rest).replaceAll("<", "\\u003c").slice(1)}`;
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
