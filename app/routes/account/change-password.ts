import { redirect } from "@remix-run/cloudflare";
import type { RouteHandle } from "#app/frame/route-handle.ts";

export const handle: RouteHandle = { access: "anyone" };

/**
 * Public: where password managers look for the page on which a password is changed.
 *
 * @see https://w3c.github.io/webappsec-change-password-url/
 */
export const loader = () => redirect("/manage/account/security#new-password");
