import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that counts requests. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** Starts a proxy to a local server. @param onPort 0 for any free port */
export async function startTcpProxy(target: string, onPort = 0) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let requests = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => {
        if (from === client) requests += chunk.toString("latin1").split("POST /v2/pipeline").length - 1;
        to.write(chunk);
      });
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      // "close" follows, which ends the other side.
      from.on("error", () => {});
    }
  }).listen(onPort, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,

    /** The number of libSQL requests during `work`. */
    async requestsDuring(work: () => Promise<unknown>): Promise<number> {
      const before = requests;
      await work();
      return requests - before;
    },

    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
