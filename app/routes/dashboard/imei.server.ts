import type { AppLoadContext } from "@remix-run/cloudflare";
import { derivedKey, keyedHash } from "#app/server/config/secrets.server.ts";

/**
 * An IMEI as it may be kept: hashed under a key of its own, by each of the deployment's secrets, newest first, so
 * that one that was kept under an older secret is known again. Empty for none.
 */
export function imeiHashesOf({ secrets }: AppLoadContext, imei: string | undefined): Promise<string[]> {
  if (!imei) return Promise.resolve([]);
  return Promise.all(secrets.map(async (secret) => keyedHash(await derivedKey(secret, "IMEIs"), imei)));
}
