import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import type { Plugin } from "vite";
import { getPlatformProxy } from "wrangler";
import { openLocalState } from "./local-state.ts";
import { type OutgoingMail, openOutbox } from "./outbox.ts";

/** In development, lets Vite's server answer pages through our Worker, on the local database. */
export function devWorker(): Plugin {
  return {
    name: "ringback:dev-worker",
    apply: "serve",
    async configureServer(server) {
      if (server.config.server.middlewareMode) return;
      const state = await openLocalState();
      const outbox = openOutbox(state.outbox);
      const MAIL = { send: (mail: OutgoingMail) => outbox.post(mail) };
      const platform = await getPlatformProxy({ persist: { path: state.persist } });
      server.httpServer?.once("close", () => platform.dispose());
      return () => {
        server.middlewares.use(async (incoming, outgoing, next) => {
          try {
            incoming.url = incoming.originalUrl;
            const { default: worker } = await server.ssrLoadModule("/app/worker.ts");
            const request = createRequest(incoming, outgoing);
            // What is being worked on is to be seen at once.
            const environment = { ...platform.env, EDGE_CACHE_SECONDS: "0", ...state.bindings, MAIL };
            await sendResponse(outgoing, await worker.fetch(request, environment, platform.ctx));
          } catch (fault) {
            next(fault);
          }
        });
      };
    },
  };
}
