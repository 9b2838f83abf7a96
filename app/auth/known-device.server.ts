import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { normalizeEmail } from "#app/features/accounts/email.server.ts";
import { derivedKey, keyedHash } from "#app/server/config/secrets.server.ts";

/**
 * A browser that has been logged in to an account counts its attempts at that account apart, so that a stranger
 * who keeps guessing locks out strangers, and not its owner. The browser holds a name of its own and, for each
 * of the last few accounts, a keyed hash of the address; the cookie is signed.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
const deviceSchema = z.object({ id: z.string(), accounts: z.array(z.string()) });

const accountsKnown = 5;

/**
 * What the attempts of a request at an account are counted under: its address alone, or with the device when
 * that has been logged in to it before. Addresses that nobody has are counted the same way.
 */
export async function attemptsKey(context: AppLoadContext, request: Request, email: string): Promise<string> {
  const device = await readDevice(context, request);
  // A device may have been made known under a secret that is not the newest any more.
  const marks = await Promise.all(context.secrets.map((secret) => accountMark(secret, email)));
  if (!device?.accounts.some((account) => marks.includes(account))) return marks[0] ?? "";
  const [secret = ""] = context.secrets;
  return keyedHash(await derivedKey(secret, "log-in attempts from a device"), `${device.id} ${marks[0]}`);
}

/** Makes the browser known to an account that has just been logged in to: a cookie for the answer. */
export async function knownDevice(context: AppLoadContext, request: Request, email: string): Promise<string> {
  const known = await readDevice(context, request);
  const [secret = ""] = context.secrets;
  const mark = await accountMark(secret, email);
  const others = known?.accounts.filter((account) => account !== mark) ?? [];
  return context.cookies.device.serialize({
    id: known?.id ?? crypto.randomUUID(),
    accounts: [mark, ...others].slice(0, accountsKnown),
  });
}

async function readDevice(context: AppLoadContext, request: Request) {
  const held = deviceSchema.safeParse(await context.cookies.device.parse(request.headers.get("Cookie")));
  return held.success ? held.data : null;
}

/** An account by its address, for who has the key. */
async function accountMark(secret: string, email: string): Promise<string> {
  return keyedHash(await derivedKey(secret, "log-in attempts"), normalizeEmail(email));
}
