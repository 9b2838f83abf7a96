import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { SetupError } from "#app/server/config/setup-error.ts";

const maxPort = 65_535;

/**
 * The port in the setting `PORT`, which is free; for 0 any free one.
 *
 * @throws SetupError that says what to do
 */
export async function freePort(setting = "8787"): Promise<number> {
  const port = Number(setting);
  if (!/^\d+$/.test(setting) || port > maxPort) {
    const problem = setting === "" ? "is empty" : `is not a port number from 0 to ${maxPort}`;
    throw new SetupError(`PORT ${problem}: set it to a number like 8787, or unset it.`);
  }
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    throw new SetupError(portProblem(port, (error as NodeJS.ErrnoException).code));
  }
  const { port: found } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return found;
}

function portProblem(port: number, code: string | undefined): string {
  if (code === "EADDRINUSE")
    return `PORT ${port} is in use: stop the other server, or set PORT to another number.`;
  return `PORT ${port} cannot be opened (${code}): set PORT to another number, from 1024 up.`;
}
