import type { FormRefusal } from "../forms/forms.server.ts";
import { type Mutation, mutations, type RateLimitName, rateLimits } from "./mutations.server.ts";

/** Counts a request against the rate limit of a mutation, and returns the refusal if that is exceeded. */
export async function rateLimitRefusal(
  { environment }: { environment: Record<RateLimitName, RateLimit> },
  mutation: Mutation,
  request: Request,
): Promise<FormRefusal | null> {
  const { limit } = mutations[mutation];
  const { success } = await environment[limit].limit({ key: clientAddress(request) });
  return success ? null : tooManyAttempts(rateLimits[limit].period);
}

/** The client's address from `CF-Connecting-IP`, the only trustworthy source; "local" without it. */
export function clientAddress(request: Request): string {
  const address = request.headers.get("CF-Connecting-IP");
  return address ? networkPrefix(address) : "local";
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
