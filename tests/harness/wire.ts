import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to a server, on which a test can listen and which it can hold. */
export type Wire = Awaited<ReturnType<typeof openWire>>;

/** Opens a line to a server on this machine; what goes in at `url` comes out there. */
export async function openWire(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = { isHeld: false, requests: 0 };

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => {
        if (from === near) state.requests += chunk.toString("latin1").split("POST /v2/pipeline").length - 1;
        to.write(chunk);
      });
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      // Whoever is at either end learns of it by the end of the connection.
      from.on("error", () => {});
      if (state.isHeld) from.pause();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,

    /** How many requests have gone through `work`, by the words they begin with. */
    async requestsDuring(work: () => Promise<unknown>): Promise<number> {
      const before = state.requests;
      await work();
      return state.requests - before;
    },

    /** From now on nothing comes through, and nothing is lost. */
    hold() {
      state.isHeld = true;
      for (const socket of sockets) socket.pause();
    },

    release() {
      state.isHeld = false;
      for (const socket of sockets) socket.resume();
    },

    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
