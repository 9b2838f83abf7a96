import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import remixOptions from "./remix.config.js";
import { devWorker } from "./scripts/dev-worker.ts";

/** Makes our Worker, not Remix's bare server build, the entry of the server bundle. */
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

export default defineConfig(({ command }) => ({
  plugins: [
    devWorker(),
    // Without `optimize`, the client and the server build emit two different stylesheets.
    tailwindcss({ optimize: { minify: true } }),
    remix(remixOptions),
    workerEntry(),
  ],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rollupOptions: {
      // Rollup reports misplaced annotations in dependencies, and resource routes, which have no browser code.
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
