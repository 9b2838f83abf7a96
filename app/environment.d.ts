declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}

declare module "react-dom/server.browser" {
  export * from "react-dom/server";
}

/** Cloudflare's default cache of a data center. */
interface CacheStorage {
  readonly default: Cache;
}
