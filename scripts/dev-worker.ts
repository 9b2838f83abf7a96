import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import type { Plugin } from "vite";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import type { LocalState } from "./local-state.ts";
import { type OutgoingMail, openOutbox } from "./outbox.ts";

/** A Vite plugin that handles requests in development by our Worker, with the local database. */
export function devWorker(state: LocalState): Plugin {
  return {
    name: "ringback:dev-worker",
    // Before Remix's own request handler.
    enforce: "pre",
    async configureServer(server) {
      const outbox = openOutbox(state.outbox);
      const MAIL = { send: (mail: OutgoingMail) => outbox.send(mail) };
      const platform = await getPlatformProxy({ persist: { path: state.persist } });
      server.httpServer?.once("close", () => platform.dispose());
      // Without the strings in `platform.env`, which include .dev.vars: that file is for `wrangler dev`.
      const { vars } = unstable_readConfig({ config: "wrangler.toml" });
      const bound = Object.entries(platform.env).filter(([, value]) => typeof value !== "string");
      // Edits show at once.
      const settings = { ...vars, EDGE_CACHE_SECONDS: "0", ...state.bindings };
      // Without the queues, which have no consumer here.
      const environment = {
        ...Object.fromEntries(bound),
        ...settings,
        MAIL,
        EMAIL_QUEUE: undefined,
        IMPORT_QUEUE: undefined,
      };
      return () => {
        server.middlewares.use(async (incoming, outgoing, next) => {
          try {
            incoming.url = incoming.originalUrl;
            const { default: worker } = await server.ssrLoadModule("/app/worker.ts");
            const request = createRequest(incoming, outgoing);
            await sendResponse(outgoing, await worker.fetch(request, environment, platform.ctx));
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}
