import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that counts requests and can be paused. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** Starts a proxy to a local server. @param onPort 0 for any free port */
export async function startTcpProxy(target: string, onPort = 0) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = { isPaused: false, requests: 0 };

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => {
        if (from === client) state.requests += chunk.toString("latin1").split("POST /v2/pipeline").length - 1;
        to.write(chunk);
      });
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      // "close" follows, which ends the other side.
      from.on("error", () => {});
      if (state.isPaused) from.pause();
    }
  }).listen(onPort, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,

    /** The number of libSQL requests during `work`. */
    async requestsDuring(work: () => Promise<unknown>): Promise<number> {
      const before = state.requests;
      await work();
      return state.requests - before;
    },

    /** Buffers all data until `resume`. */
    pause() {
      state.isPaused = true;
      for (const socket of sockets) socket.pause();
    },

    resume() {
      state.isPaused = false;
      for (const socket of sockets) socket.resume();
    },

    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
