import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import remixOptions from "./remix.config.js";

/** Chunks of modules that are loaded together. Without them a list loads 48 files of 124 KB, with them 8 of 111 KB. */
const chunks: [name: string, modules: RegExp][] = [
  [
    "framework",
    /\/node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|@remix-run\/\w+)\//,
  ],
  // For every page. A module that is not listed here gets a chunk of its own.
  [
    "frame",
    /\/app\/(brand|server\/(forms\/(refused-form|choice-error)|http\/(page-title|paths|render-context))|features\/catalog\/(category\.rules|search-field|search\/search-limits\.rules)|features\/listings\/money\.rules|frame\/(error-pages|footer|frame|header|site-tags)|ui\/(button|fetch-optional-json|focus|hydrated|icons|link|nav-link|toast))\b/,
  ],
  // For every list and listing.
  [
    "phones",
    /\/app\/(features\/catalog\/phone-card|features\/listings\/(attributes|badges|device-variant|phone-picture|price)(\.rules)?|features\/photos\/photo\.rules|features\/saved-listings\/(save-button|save-form|saved-states)|ui\/empty-state)\.tsx?$/,
  ],
  // For every list, most of it also for the tables of the dashboard.
  [
    "filters",
    /\/app\/(features\/catalog\/(applied-filters\.rules|compare\.rules|compare-bar|filter-drawer|search\/(facets|search-query|search-words)\.rules|selected-phones)|features\/saved-searches\/saved-search\.rules|routes\/catalog\/canonical-pages\.rules|ui\/(auto-submit|drawer|empty-page|pager))\.tsx?$/,
  ],
  // For every listing, most of it also for the dialog with its details.
  [
    "listing-facts",
    /\/app\/(features\/listings\/(booking-box|condition\.rules|drawing\.rules|fair-price|listing-gallery|listing-structured-data\.rules|price-history|seller-line)|features\/reviews\/(review\.rules|seller-rating)|features\/saved-listings\/saved-listing\.rules|server\/http\/structured-data|ui\/(breadcrumbs|date-label|fact-row|report-link))\.tsx?$/,
  ],
  // For the login, sign-up and password recovery.
  [
    "account",
    /\/app\/(features\/accounts\/(account-page|passkey-button)|routes\/account\/form-client-action)\.tsx?$/,
  ],
];

function chunkOf(id: string): string | undefined {
  return chunks.find(([, modules]) => modules.test(id))?.[0];
}

/** Makes `app/worker.ts` the entry of the server bundle, in place of Remix's server build. */
function workerEntry(): Plugin {
  return {
    name: "ringback:worker-entry",
    enforce: "post",
    config(_config, { isSsrBuild }) {
      return isSsrBuild
        ? { build: { minify: "esbuild", rollupOptions: { input: "app/worker.ts" } } }
        : undefined;
    },
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    // Without `optimize`, client and server build emit different stylesheets.
    tailwindcss({ optimize: { minify: true } }),
    remix(remixOptions),
    workerEntry(),
  ],
  build: {
    target: "es2022",
    // 5 % smaller than with esbuild.
    minify: "terser",
    // Vite's own options keep workarounds for Safari 10.
    terserOptions: { ecma: 2020, safari10: false },
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rollupOptions: {
      output: isSsrBuild ? {} : { manualChunks: chunkOf },
      // Misplaced annotations in dependencies, and resource routes, which have no browser code.
      onwarn: (warning, warn) =>
        ["INVALID_ANNOTATION", "EMPTY_BUNDLE"].includes(warning.code ?? "") ? undefined : warn(warning),
    },
  },
  ssr:
    command === "build"
      ? {
          target: "webworker",
          noExternal: true,
          resolve: { conditions: ["workerd", "worker", "browser"] },
        }
      : {},
}));
