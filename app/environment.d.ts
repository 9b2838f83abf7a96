declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}

declare module "react-dom/server.browser" {
  export * from "react-dom/server";
}

/** The runtime's own: the cache of the data centre that a request came to. */
interface CacheStorage {
  readonly default: Cache;
}
