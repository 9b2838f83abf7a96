import type { FormRefusal } from "../forms/forms.server.ts";

/** Requests for each client address and period in seconds; `wrangler.toml` repeats the numbers. */
export const rateLimits = {
  LOGIN_LIMIT: { limit: 60, period: 60 },
  SIGN_UP_LIMIT: { limit: 60, period: 60 },
  RECOVERY_LIMIT: { limit: 5, period: 60 },
  REPORT_LIMIT: { limit: 5, period: 60 },
  BOOKING_LIMIT: { limit: 120, period: 60 },
  PUBLISH_LIMIT: { limit: 60, period: 60 },
  PHOTO_LIMIT: { limit: 120, period: 60 },
  MESSAGE_LIMIT: { limit: 30, period: 60 },
  VIEW_LIMIT: { limit: 60, period: 60 },
  WRITE_LIMIT: { limit: 120, period: 60 },
} as const;

export type RateLimitName = keyof typeof rateLimits;

/** The rate limit of each mutation, for its page action and its API operation alike. */
export const mutationLimits = {
  "log in": "LOGIN_LIMIT",
  "confirm password": "LOGIN_LIMIT",
  "set password": "LOGIN_LIMIT",
  "verify address": "LOGIN_LIMIT",
  "sign up": "SIGN_UP_LIMIT",
  "request recovery": "RECOVERY_LIMIT",
  report: "REPORT_LIMIT",
  "report content": "REPORT_LIMIT",
  "decide report": "WRITE_LIMIT",
  "appeal decision": "WRITE_LIMIT",
  book: "BOOKING_LIMIT",
  "change delivery": "BOOKING_LIMIT",
  review: "WRITE_LIMIT",
  message: "MESSAGE_LIMIT",
  offer: "MESSAGE_LIMIT",
  "mark as read": "WRITE_LIMIT",
  block: "WRITE_LIMIT",
  publish: "PUBLISH_LIMIT",
  "edit listing": "PUBLISH_LIMIT",
  "save listing": "WRITE_LIMIT",
  "add photos": "PHOTO_LIMIT",
  "change photos": "WRITE_LIMIT",
  "delete listing": "WRITE_LIMIT",
  "advance order": "WRITE_LIMIT",
  "cancel order": "WRITE_LIMIT",
  "order problem": "WRITE_LIMIT",
  "decide problem": "WRITE_LIMIT",
  "delete user": "WRITE_LIMIT",
  "verify seller": "WRITE_LIMIT",
  "change role": "WRITE_LIMIT",
  "bulk action": "WRITE_LIMIT",
  "end sessions": "WRITE_LIMIT",
  "undo deletion": "WRITE_LIMIT",
  "read notifications": "WRITE_LIMIT",
  unsubscribe: "WRITE_LIMIT",
  "change account": "WRITE_LIMIT",
  "change passkeys": "WRITE_LIMIT",
  "change tokens": "WRITE_LIMIT",
  "change searches": "WRITE_LIMIT",
  "export data": "WRITE_LIMIT",
  "count view": "VIEW_LIMIT",
} as const satisfies Record<string, RateLimitName>;

export type Mutation = keyof typeof mutationLimits;

/** Counts a request against the rate limit of a mutation; false if it is exceeded. */
export async function withinLimit(
  { environment }: { environment: Record<RateLimitName, RateLimit> },
  mutation: Mutation,
  request: Request,
): Promise<boolean> {
  const { success } = await environment[mutationLimits[mutation]].limit({ key: clientAddress(request) });
  return success;
}

/** The client's address from `CF-Connecting-IP`, the only trustworthy source; "local" without it. */
export function clientAddress(request: Request): string {
  const address = request.headers.get("CF-Connecting-IP");
  return address ? networkPrefix(address) : "local";
}

/** The refusal of a mutation that exceeds its rate limit. */
export function overLimit(mutation: Mutation): FormRefusal {
  return tooManyAttempts(rateLimits[mutationLimits[mutation]].period);
}

/** The refusal of a form after too many attempts. */
export function tooManyAttempts(seconds: number): FormRefusal {
  return {
    status: 429,
    formErrors: [tooManyAttemptsText(seconds)],
    retryAfter: Math.max(1, Math.ceil(seconds)),
  };
}

function tooManyAttemptsText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `Too many attempts. Try again in ${minutes === 1 ? "1 minute" : `${minutes} minutes`}.`;
}

/** Reduces an IPv6 address to its /64 prefix, which one subscriber usually has as a whole. */
export function networkPrefix(address: string): string {
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
