declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}

/** The sections of a text, rendered by the build: see `scripts/markdown-sections.ts`. */
declare module "*.md" {
  const sections: { title: string; html: string }[];
  export default sections;
}

declare module "react-dom/server.browser" {
  export * from "react-dom/server";
}

/** Cloudflare's default cache of a data center. */
interface CacheStorage {
  readonly default: Cache;
}

/** What is used of the Navigation API, which TypeScript does not describe and older browsers do not have. */
interface NavigationHistoryEntry {
  readonly key: string;
  readonly index: number;
  readonly url: string | null;
}

interface Window {
  readonly navigation?: {
    readonly currentEntry: NavigationHistoryEntry | null;
    entries(): NavigationHistoryEntry[];
    traverseTo(key: string): void;
  };
}
