import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import type { Plugin } from "vite";
import { getPlatformProxy } from "wrangler";
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
      return () => {
        server.middlewares.use(async (incoming, outgoing, next) => {
          try {
            incoming.url = incoming.originalUrl;
            const { default: worker } = await server.ssrLoadModule("/app/worker.ts");
            const request = createRequest(incoming, outgoing);
            // Edits show at once.
            const environment = { ...platform.env, EDGE_CACHE_SECONDS: "0", ...state.bindings, MAIL };
            await sendResponse(outgoing, await worker.fetch(request, environment, platform.ctx));
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}
