/**
 * Remix's options, which `vite.config.ts` imports. BUILD_DIR lets several local servers of one checkout each have a
 * build of their own.
 *
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  buildDirectory: process.env.BUILD_DIR ?? "build",
  future: {
    // Optimizes the dependencies of all routes when `npm run dev` starts, since later ones reload the page.
    unstable_optimizeDeps: true,
    v3_fetcherPersist: true,
    // It saves 4 KB, and costs a request before each first navigation to an address.
    v3_lazyRouteDiscovery: false,
    v3_relativeSplatPath: true,
    v3_routeConfig: true,
    // Single fetch needs streaming, which takes 2.4 times as long as a string in workerd.
    v3_singleFetch: false,
    v3_throwAbortReason: true,
  },
};
