import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";
import { normalizeEmail } from "#app/features/accounts/email.server.ts";
import { clearAttempts } from "#app/features/accounts/login-attempts.server.ts";
import { derivedKey, keyedHash } from "#app/server/config/crypto.server.ts";

/**
 * A device cookie: login attempts from a browser that has logged in to the account before are counted apart, so that
 * an attacker cannot lock out the owner. It holds a device id and keyed hashes of the last accounts.
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
const deviceSchema = z.object({ id: z.string(), accounts: z.array(z.string()) });

const maxAccounts = 5;

/** The key for counting login attempts: the address, with the device if it is one that is known for the account. */
export async function loginAttemptsKey(
  context: AppLoadContext,
  request: Request,
  email: string,
): Promise<{ key: string; isKnownDevice: boolean }> {
  const device = await readDevice(context, request);
  const hashes = await Promise.all(context.secrets.map((secret) => accountHash(secret, email)));
  if (!device?.accounts.some((account) => hashes.includes(account)))
    return { key: hashes[0] ?? "", isKnownDevice: false };
  const [secret = ""] = context.secrets;
  const deviceKey = await derivedKey(secret, "login attempts from a device");
  return { key: await keyedHash(deviceKey, `${device.id} ${hashes[0]}`), isKnownDevice: true };
}

/** Resets the count of login attempts after a login, or when the owner has shown to know the password otherwise. */
export async function resetAttempts(context: AppLoadContext, request: Request, email: string): Promise<void> {
  const { key } = await loginAttemptsKey(context, request, email);
  await clearAttempts(context.db, key);
}

/** Creates the Set-Cookie header that makes the browser a known device of an account. */
export async function knownDeviceCookie(
  context: AppLoadContext,
  request: Request,
  email: string,
): Promise<string> {
  const known = await readDevice(context, request);
  const [secret = ""] = context.secrets;
  const hash = await accountHash(secret, email);
  const others = known?.accounts.filter((account) => account !== hash) ?? [];
  return context.cookies.device.serialize({
    id: known?.id ?? crypto.randomUUID(),
    accounts: [hash, ...others].slice(0, maxAccounts),
  });
}

async function readDevice(context: AppLoadContext, request: Request) {
  const parsed = deviceSchema.safeParse(await context.cookies.device.parse(request.headers.get("Cookie")));
  return parsed.success ? parsed.data : null;
}

async function accountHash(secret: string, email: string): Promise<string> {
  return keyedHash(await derivedKey(secret, "login attempts"), normalizeEmail(email));
}
