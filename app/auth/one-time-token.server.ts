import { type AppLoadContext, redirect } from "@remix-run/cloudflare";

/** The pages that a mail's link leads to. */
type OneTimeTokenPage = "reset" | "verify";

/**
 * The token of the link that led here. A link is answered by a redirect that moves its token out of the
 * address into a cookie: so it stands in no history, no address bar and no Referer, and nothing is spent by
 * programs that open every link of a mail.
 *
 * @throws the redirect
 */
export async function readOneTimeToken(
  context: AppLoadContext,
  request: Request,
  page: OneTimeTokenPage,
): Promise<string | null> {
  const cookie = context.cookies[page];
  const linked = new URL(request.url).searchParams.get("token");
  if (linked !== null) {
    throw redirect(`/${page}`, { headers: { "Set-Cookie": await cookie.serialize(linked.slice(0, 100)) } });
  }
  const held: unknown = await cookie.parse(request.headers.get("Cookie"));
  return typeof held === "string" ? held : null;
}

/** Has the browser forget a token: headers without the cookie. */
export async function forgetOneTimeToken(context: AppLoadContext, page: OneTimeTokenPage): Promise<Headers> {
  return new Headers({ "Set-Cookie": await context.cookies[page].serialize("", { maxAge: 0 }) });
}
