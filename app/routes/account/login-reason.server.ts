import type { AppLoadContext } from "@remix-run/cloudflare";
import { deviceName } from "#app/features/listings/device-variant.rules.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { targetOf } from "#app/features/messages/message.rules.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";

/** Of the login's address: the listing that led there by its Save button. */
export const saveParameter = "save";

/**
 * Says what the visitor was about to do when the login came up; null if that is not known.
 *
 * @param continueTo the path that the login leads to
 */
export async function loginReason(
  context: AppLoadContext,
  request: Request,
  continueTo: string,
): Promise<string | null> {
  const { pathname, searchParams } = new URL(continueTo, request.url);
  if (pathname === "/addphone") return "Log in to sell your device.";
  if (pathname === "/manage/searches/new") return "Log in to save this search.";
  const [, kind, targetId] = /^\/report\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  if (kind === "listing" && targetId) return about("report", targetId);
  if (kind === "seller" || kind === "review") return `Log in to report this ${kind}.`;
  const [, phoneId, dialog] = /^\/[a-z]+\/([^/]+)\/(book|offer)$/.exec(pathname) ?? [];
  if (phoneId) return about(dialog === "book" ? "book" : "make an offer for", phoneId);
  const target = pathname === "/manage/messages/new" ? targetOf(searchParams) : null;
  if (target && "phone" in target) return about("message the seller of", target.phone);
  const toSave = new URL(request.url).searchParams.get(saveParameter);
  return toSave && about("save", toSave);

  async function about(verb: string, id: string) {
    const phone = await unlessOutage(
      context,
      () => findPublishedListing(context.db, id),
      () => null,
    );
    return phone && `Log in to ${verb} the ${deviceName(phone)}.`;
  }
}
