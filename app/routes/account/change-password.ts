import { redirect } from "@remix-run/cloudflare";

/**
 * Public: where password managers look for the page on which a password is changed.
 *
 * @see https://w3c.github.io/webappsec-change-password-url/
 */
export const loader = () => redirect("/manage/account#new-password");
