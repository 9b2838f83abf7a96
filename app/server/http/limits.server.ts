import type { FormRefusal } from "../forms/forms.server.ts";

/**
 * What is limited for each client address, and how often it may be done in how many seconds. `wrangler.toml`
 * gives Cloudflare the same figures, and docs/operations.md lists them; a test compares the three.
 */
export const limits = {
  LOGIN_LIMIT: { limit: 60, period: 60 },
  SIGN_UP_LIMIT: { limit: 60, period: 60 },
  RECOVERY_LIMIT: { limit: 5, period: 60 },
  REPORT_LIMIT: { limit: 5, period: 60 },
  BOOKING_LIMIT: { limit: 120, period: 60 },
  PUBLISH_LIMIT: { limit: 60, period: 60 },
  PHOTO_LIMIT: { limit: 120, period: 60 },
  /** All other writes through the REST API. */
  WRITE_LIMIT: { limit: 120, period: 60 },
} as const;

export type Limited = keyof typeof limits;

/**
 * Whether a client may do a limited thing once more. Clients are told apart by the address Cloudflare saw, the
 * only one to believe; without it (a market on this machine) all count as one.
 */
export async function withinLimit(
  { environment }: { environment: Record<Limited, RateLimit> },
  limited: Limited,
  request: Request,
): Promise<boolean> {
  const { success } = await environment[limited].limit({ key: clientAddress(request) });
  return success;
}

/** Where a request comes from, by the address Cloudflare saw; "local" without one. */
export function clientAddress(request: Request): string {
  const address = request.headers.get("CF-Connecting-IP");
  return address ? clientOf(address) : "local";
}

/** How a form that came too often from one address is refused. */
export function overLimit(limited: Limited): FormRefusal {
  return tooManyAttempts(limits[limited].period);
}

/**
 * How a form that came too often is refused.
 *
 * @param seconds how long to wait
 */
export function tooManyAttempts(seconds: number): FormRefusal {
  return {
    status: 429,
    formErrors: [tooManyText(seconds)],
    retryAfter: Math.max(1, Math.ceil(seconds)),
  };
}

/** What is said to who came too often and has to wait so many seconds. */
export function tooManyText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `Too many attempts. Try again in ${minutes === 1 ? "1 minute" : `${minutes} minutes`}.`;
}

/**
 * What stands for one client: an IPv4 address, or the first half of an IPv6 address, since every household
 * has the whole second half to itself.
 */
export function clientOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head ? head.split(":") : [];
  const last = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
