import { createRequire } from "node:module";

// `import` would parse these packages, of one large file each, twice: it takes twice as long.
const require = createRequire(import.meta.url);

export const { Miniflare, Response } = require("miniflare") as typeof import("miniflare");
export const { unstable_getMiniflareWorkerOptions, unstable_readConfig } =
  require("wrangler") as typeof import("wrangler");
