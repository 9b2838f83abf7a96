import "./scripts/node-version.js";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rollup } from "vite";
import remixOptions from "./remix.config.js";
import { markdownSections } from "./scripts/markdown-sections.ts";

const framework =
  /\/node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|@remix-run\/\w+)\//;

/** The libraries of forms, of which the login loads zod when its form is used. */
const formLibraries = { form: /\/@conform-to\/(dom|react)\//, booking: /\/(zod|@conform-to\/zod)\// };

/** The chunks of what the login and the dialogs of lists and listings add, each to those before it. */
const onDemand = { form: "account/login", dialog: "catalog/details", booking: "catalog/book" };

/** The pages that must load fast. */
const fastPages = ["pages/home", "catalog/list", "catalog/listing"];

/**
 * One chunk for what all pages load, one for each combination of fast pages that load a module, and one for what the
 * login and each dialog add; Rollup splits the rest. Without them a list loads 48 files of 123 KB, with them 9 of 112 KB.
 */
const chunkOf: Rollup.GetManualChunk = (id, { getModuleInfo }) => {
  if (framework.test(id)) return "framework";
  const library = Object.entries(formLibraries).find(([, path]) => path.test(id));
  if (library) return library[0];
  if (!/\/app\/[^?]+$/.test(id)) return undefined;
  const importers = new Set([id]);
  // The loop goes on with what it adds.
  for (const module of importers) {
    for (const importer of getModuleInfo(module)?.importers ?? []) importers.add(importer);
  }
  const isLoadedBy = (route: string) => [...importers].some((module) => module.endsWith(`/app/${route}.tsx`));
  if (isLoadedBy("root")) return "frame";
  const pages = fastPages.filter((page) => isLoadedBy(`routes/${page}`));
  const name = pages.map((page) => page.replace(/.*\//, "")).join("-");
  if (name === "") return Object.entries(onDemand).find(([, page]) => isLoadedBy(`routes/${page}`))?.[0];
  // Too little for a file of its own.
  return name === "list-listing" ? "home-list-listing" : name;
};

/** Makes `app/worker.ts` the entry of the server bundle, in place of Remix's server build. */
function workerEntry(): Plugin {
  return {
    name: "ringback:worker-entry",
    enforce: "post",
    config(_config, { isSsrBuild }) {
      return isSsrBuild ? { build: { rollupOptions: { input: "app/worker.ts" } } } : undefined;
    },
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    // Without `optimize`, client and server build emit different stylesheets.
    tailwindcss({ optimize: { minify: true } }),
    markdownSections(),
    remix(remixOptions),
    workerEntry(),
  ],
  build: {
    target: "es2022",
    // Scripts are 5 % smaller than with esbuild, the Worker 3 %.
    minify: "terser",
    // Vite's own options keep workarounds for Safari 10.
    terserOptions: { ecma: 2020, safari10: false },
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rollupOptions: {
      // The Worker has a file for what it loads on demand.
      output: isSsrBuild
        ? { inlineDynamicImports: false, chunkFileNames: "[name].js" }
        : { manualChunks: chunkOf },
      // Misplaced annotations in dependencies, resource routes, which have no browser code, and what only the browser
      // loads on demand.
      onwarn: (warning, warn) =>
        ["INVALID_ANNOTATION", "EMPTY_BUNDLE"].includes(warning.code ?? "") ||
        warning.plugin === "vite:reporter" ||
        warn(warning),
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
