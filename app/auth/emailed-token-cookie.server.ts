import { type AppLoadContext, redirect } from "@remix-run/cloudflare";

type OneTimeTokenPage = "reset" | "verify";

/**
 * Reads an emailed one-time token. A redirect moves it from the URL into a cookie, which keeps it out of the history
 * and the Referer header. @throws Response the redirect
 */
export async function readOneTimeToken(
  context: AppLoadContext,
  request: Request,
  page: OneTimeTokenPage,
): Promise<string | null> {
  const cookie = context.cookies[page];
  const tokenInUrl = new URL(request.url).searchParams.get("token");
  if (tokenInUrl !== null) {
    throw redirect(`/${page}`, {
      headers: { "Set-Cookie": await cookie.serialize(tokenInUrl.slice(0, 100)) },
    });
  }
  const stored: unknown = await cookie.parse(request.headers.get("Cookie"));
  return typeof stored === "string" ? stored : null;
}

/** Creates headers that clear the token's cookie. */
export async function clearOneTimeToken(context: AppLoadContext, page: OneTimeTokenPage): Promise<Headers> {
  return new Headers({ "Set-Cookie": await context.cookies[page].serialize("", { maxAge: 0 }) });
}
