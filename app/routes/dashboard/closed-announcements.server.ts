import type { AppLoadContext } from "@remix-run/cloudflare";
import { z } from "zod";

/** So few are on show at once that older ones are over. */
const maxClosed = 10;

const closedSchema = z.array(z.string());

/** The ids of the announcements that were closed in this browser. */
export async function closedAnnouncements({ cookies }: AppLoadContext, request: Request): Promise<string[]> {
  const closed = await cookies.closedAnnouncements.parse(request.headers.get("Cookie"));
  return closedSchema.safeParse(closed).data ?? [];
}

/** The Set-Cookie header that closes another one. */
export async function closeAnnouncement(
  context: AppLoadContext,
  request: Request,
  id: string,
): Promise<string> {
  const others = (await closedAnnouncements(context, request)).filter((other) => other !== id);
  // An id is a UUID with a hash at most.
  return context.cookies.closedAnnouncements.serialize([id.slice(0, 120), ...others].slice(0, maxClosed));
}
