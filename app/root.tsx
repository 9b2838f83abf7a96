import displayFont from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-600-normal.woff2?url";
import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { listFooterPages } from "#app/features/pages/pages.server.ts";
import { type FrameData, SiteFrame } from "#app/frame/frame.tsx";
import { handleOf } from "#app/frame/route-handle.ts";
import { SiteTags } from "#app/frame/site-tags.tsx";
import { market } from "#app/market.ts";
import stylesheet from "./app.css?url";
import { hasInvalidSession, seemsSignedIn } from "./auth/guard.server.ts";
import { clearedSessionCookie } from "./auth/start-session.server.ts";
import { brand } from "./brand.ts";
import { takeToast } from "./server/forms/flash.server.ts";
import { isRefused } from "./server/forms/refused-form.ts";
import { errorTitle, pageTitle } from "./server/http/page-title.ts";
import { notFoundPath } from "./server/http/paths.ts";
import { publicOrigin } from "./server/http/request.server.ts";
import { ServerRenderContext } from "./server/http/server-render-context.ts";

export const meta: MetaFunction = ({ error }) => {
  const title = errorTitle(error);
  return title
    ? pageTitle(title)
    : pageTitle(
        "Used phones and tablets with a second life",
        `Buy and sell used phones and tablets: genuine devices, with a ${market.warranty.long}, at an honest price.`,
      );
};

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "preload", href: displayFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  // Public: data of the frame around every page.
  const signedIn = context.audience
    ? context.audience === "signed-in"
    : await seemsSignedIn(context, request);
  const { toast, headers } = await takeToast(context, request);
  if (await hasInvalidSession(context, request)) {
    for (const cookie of (await clearedSessionCookie(context)).getSetCookie())
      headers.append("Set-Cookie", cookie);
  }
  const origin = publicOrigin(context, request);
  const pages = await listFooterPages(context.db);
  const frame: FrameData = { signedIn, toast, origin, pages };
  return json(frame, { headers });
}

/** Loads the frame again, with its message: after a post, on the login page, and where a GET form redirects back. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl } = args;
  const isPosted = formMethod !== undefined && formMethod !== "GET";
  // Without a method, data are loaded again in the background, where the message stays.
  const isBack = formMethod === "GET" && currentUrl.href === nextUrl.href;
  return !isRefused(args) && (isPosted || isBack || nextUrl.pathname === "/login");
}

export function Layout({ children }: { children: ReactNode }) {
  const { nonce } = useContext(ServerRenderContext);
  const origin = useRouteLoaderData<typeof loader>("root")?.origin;
  // The router in the browser would show something else at the address of that page, which works without it.
  const isHydrated = useLocation().pathname !== notFoundPath;
  const pageClasses = useMatches().map((match) => handleOf(match).bodyClass?.(match.data));
  const bodyClasses = ["flex min-h-dvh flex-col bg-base-100 text-base-content", ...pageClasses].filter(
    Boolean,
  );
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={brand.pageColor.light} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={brand.pageColor.dark} media="(prefers-color-scheme: dark)" />
        <Meta />
        {origin && <SiteTags origin={origin} />}
        <Links />
      </head>
      <body className={bodyClasses.join(" ")}>
        <SiteFrame>{children}</SiteFrame>
        <ScrollRestoration nonce={nonce} />
        {isHydrated && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/**
 * Shows errors of routes without a boundary. Routes with an action need their own: when an action throws, Remix skips
 * the loaders below the boundary, and the frame needs the root loader's data.
 */
export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
