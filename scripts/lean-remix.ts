import type { Plugin } from "vite";
import { type Alteration, alteredFiles } from "./altered-files.ts";

/** The compiled files of Remix in the browser. */
const library = /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]([\w-]+)\.js$/;

const refuse = `() => { throw new Error("This is left out of the build."); }`;

/** What is written in place of a file: `whole` is the file itself, of which only what is named stays. */
const inPlaceOf: Record<string, (whole: string) => string> = {
  // The browser knows all routes from the start: `v3_lazyRouteDiscovery` is off.
  "fog-of-war": () => `
    export const isFogOfWarEnabled = () => false;
    export const useFogOFWarDiscovery = () => {};
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const getPartialManifest = ${refuse};
    export const fetchAndApplyManifestPatches = ${refuse};`,
  // How data came before there was `v3_singleFetch`.
  data: (whole) => `
    export { createRequestInit, isCatchResponse, isErrorResponse, isNetworkErrorResponse, isRedirectResponse, isResponse } from ${whole};
    export const isDeferredData = () => false;
    export const isDeferredResponse = () => false;
    export const fetchData = ${refuse};
    export const parseDeferredReadableStream = ${refuse};`,
  // No link of ours fetches ahead, and no route but the root has a stylesheet.
  links: (whole) => `
    export { getKeyedLinksForMatches, isPageLinkDescriptor } from ${whole};
    export const prefetchStyleLinks = async () => {};
    export const getDataLinkHrefs = ${refuse};
    export const getKeyedPrefetchLinks = ${refuse};
    export const getModuleLinkHrefs = ${refuse};
    export const getNewMatchesForLinks = ${refuse};`,
  // What shows while a page without markup starts, and an error page in place of ours.
  fallback: () => "export const RemixRootDefaultHydrateFallback = () => null;",
};

/** What is written in the Worker in place of files of `react-dom`. */
const inWorker: Record<string, string> = {
  // Only browsers have a document to change: a third of what React is to the compressed Worker.
  "index.js": `
    export const flushSync = ${refuse};
    export const createPortal = ${refuse};
    export default { flushSync, createPortal };`,
  // Pages are rendered whole; this is what does that.
  "server.browser.js": `module.exports = require("./cjs/react-dom-server-legacy.browser.production.min.js");`,
};

const nothing = "{}";

/**
 * A link to a page of ours, in the Worker, where it is pressed by nobody: its address is what it was given, and needs
 * no router to work it out.
 */
const plainLink = `
const AnyLink = Link;
Link = function Link(props) {
  const { to, prefetch, discover, replace, relative, state, preventScrollReset, viewTransition, ...rest } = props;
  const isOurs = typeof to === "string" && /^\\/(?!\\/)/.test(to);
  return isOurs ? React.createElement("a", _extends(rest, { href: to })) : React.createElement(AnyLink, props);
};`;

/** Where Remix has made its links. */
const linksMade = 'Link.displayName = "Link";';

/** Where Remix complains of data that did not come whole. */
const complaint = "console.error(e);\n    throw new Error(`Unable to decode";

const alterations: Alteration[] = [
  {
    file: /[\\/]@remix-run[\\/]router[\\/]dist[\\/]router\.js$/,
    to: "browser",
    bodies: {
      // What loaders promised for later, before there was `v3_singleFetch`.
      DeferredData: nothing,
      isDeferredData: "{ return false; }",
      resolveDeferredData: nothing,
      resolveNavigationDeferredResults: nothing,
      resolveFetcherDeferredResults: nothing,
      // The browser knows all routes from the start, and no page of ours holds its visitors back.
      discoverRoutes: `{ return (${refuse})(); }`,
      shouldBlockNavigation: nothing,
    },
  },
  {
    file: /[\\/]react-router[\\/]dist[\\/]index\.js$/,
    to: "browser",
    bodies: {
      AwaitErrorBoundary: nothing,
      DefaultErrorComponent: "{ return null; }",
      logV6DeprecationWarnings: nothing,
    },
  },
  {
    file: /[\\/]react-router-dom[\\/]dist[\\/]index\.js$/,
    to: "browser",
    bodies: { useViewTransitionState: "{ return false; }" },
  },
  {
    file: /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]components\.js$/,
    to: "browser",
    bodies: {
      // `page-scripts.server.ts` writes them.
      Scripts: "{ return null; }",
      // The browser knows all routes from the start.
      getDiscoverAttr: nothing,
      PrefetchPageLinks: "{ return null; }",
      usePrefetchBehavior: "{ return [false, React.useRef(null), {}]; }",
      Await: "{ return null; }",
    },
  },
  {
    file: /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]errorBoundaries\.js$/,
    to: "browser",
    bodies: {
      // Shown when our own error page fails as well.
      RemixRootDefaultErrorBoundary: `{
        console.error(arguments[0].error);
        return React.createElement("html", { lang: "en" }, React.createElement("body", null,
          React.createElement("a", { href: "" }, "Something went wrong. Load the page again.")));
      }`,
    },
  },
  {
    file: /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]browser\.js$/,
    to: "browser",
    // Where Remix waits for a page's data to be decoded; `page-data.ts` hands it over as it is.
    parts: [["if (window.__remixContext.future.v3_singleFetch) {", "if (!window.__remixContext.state) {"]],
  },
  {
    file: /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]single-fetch\.js$/,
    to: "browser",
    // Who has gone on to another page meanwhile has nothing to complain of.
    parts: [[complaint, `if (init.signal?.aborted) throw e;\n    ${complaint}`]],
  },
  {
    file: /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]components\.js$/,
    to: "worker",
    bodies: { getDiscoverAttr: nothing },
    parts: [[linksMade, linksMade + plainLink]],
  },
  {
    file: /[\\/]react-router-dom[\\/]dist[\\/]index\.js$/,
    to: "worker",
    // What a link does when it is pressed: each would work out where it leads a second time for it.
    bodies: { useLinkClickHandler: nothing },
  },
  {
    file: /[\\/]@remix-run[\\/]server-runtime[\\/]dist[\\/]esm[\\/]server\.js$/,
    to: "worker",
    // Remix writes a page's data as a stream, which `page-scripts.server.ts` does not use.
    parts: [
      [
        "serverHandoffStream: encodeViaTurboStream(state, request.signal, build.entry.module.streamTimeout, serverMode)",
        "serverHandoffStream: undefined",
      ],
    ],
  },
];

/** Files of the browser's that are loaded together: many small ones are more to load than a few. */
const together: [string, RegExp][] = [
  // What no change of ours touches.
  [
    "framework",
    /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/\w+)\//,
  ],
  // What every page has, and what every list has.
  ["frame", /\/app\/(platform\/|ui\/(button|icons|pending|toast)\.)/],
  [
    "cards",
    /\/app\/(features\/phones\/(badges|card-phone|money|page-mark|phone-card|price|shelf)|ui\/empty-state)/,
  ],
];

function chunkOf(id: string): string | undefined {
  const path = id.replaceAll("\\", "/");
  return together.find(([, files]) => files.test(path))?.[0];
}

/** Leaves out of a build what no page of ours runs of Remix and React. */
export function leanRemix(): Plugin[] {
  return [alteredFiles("ringback:altered-remix", alterations), leanerFiles()];
}

function leanerFiles(): Plugin {
  return {
    name: "ringback:lean-remix",
    apply: "build",
    enforce: "pre",
    config(_config, { isSsrBuild }) {
      if (isSsrBuild) return undefined;
      return { build: { rollupOptions: { output: { manualChunks: chunkOf } } } };
    },
    load(id, { ssr } = {}) {
      const react = id.match(/[\\/]react-dom[\\/]([\w.]+)$/)?.[1];
      if (ssr && react !== undefined && react in inWorker) return inWorker[react];
      const file = id.match(library)?.[1];
      const write = file === undefined ? undefined : inPlaceOf[file];
      return write?.(JSON.stringify(`${id}?whole`)) ?? null;
    },
  };
}
