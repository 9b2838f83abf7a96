import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import remixOptions from "./remix.config.js";
import { devWorker } from "./scripts/dev-worker.ts";
import { leanRemix } from "./scripts/lean-remix.ts";
import { leanWebauthn } from "./scripts/lean-webauthn.ts";
import { quickDrizzle } from "./scripts/quick-drizzle.ts";
import { quickRouter } from "./scripts/quick-router.ts";

/** Makes our Worker, not Remix's bare server build, the entry of the server bundle, and small to upload. */
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
    leanRemix(),
    leanWebauthn(),
    quickDrizzle(),
    quickRouter(),
    workerEntry(),
  ],
  build: {
    target: "es2022",
    // Slower than Vite's own, and a twentieth smaller.
    minify: "terser",
    terserOptions: { compress: { passes: 2 } },
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rollupOptions: {
      // Comments of dependencies that Rollup drops are not news, nor that calls have nothing for the browser.
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
