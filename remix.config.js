/**
 * Remix's options; `vite.config.ts` hands them to the compiler.
 * BUILD_DIR lets several markets of one checkout each serve a bundle of their own.
 *
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  buildDirectory: process.env.BUILD_DIR ?? "build",
  future: {
    // Scans all routes for dependencies when `npm run dev` starts. Found later, they would reload the page.
    unstable_optimizeDeps: true,
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_routeConfig: true,
    // Single fetch needs a streamed page, which takes 2.4 times as long in workerd as a string.
    v3_singleFetch: false,
    v3_throwAbortReason: true,
  },
};
