import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import stylesheet from "./app.css?url";
import { takeToast } from "./platform/flash.server.ts";
import { pageTitle } from "./platform/page-title.ts";
import { publicOrigin } from "./platform/public-address.server.ts";
import { RequestMarksContext } from "./platform/request-marks.ts";
import { ScrollMemory } from "./platform/scroll-memory.tsx";
import { sessionForgotten } from "./routes/account/entrance.server.ts";
import { holdsDeadSession, seemsSignedIn } from "./routes/guard.server.ts";
import { Away, Failure, NotFound, Refused } from "./routes/site/error-pages.tsx";
import { SiteFooter } from "./routes/site/footer.tsx";
import { SiteHeader } from "./routes/site/header.tsx";
import { ListSpinner } from "./routes/site/list-spinner.tsx";
import { SiteTags } from "./routes/site/site-tags.tsx";
import { KeptFocus } from "./ui/kept-focus.tsx";
import { NavigationProgress } from "./ui/pending.tsx";
import { ToastContext, ToastRegion } from "./ui/toast.tsx";

const errorTitles: Record<number, string> = { 404: "Page not found", 503: "Back in a moment" };

export const meta: MetaFunction = ({ error }) =>
  isRouteErrorResponse(error)
    ? pageTitle(errorTitles[error.status] ?? "Not understood")
    : pageTitle(
        "Used phones and tablets with a second life",
        "Buy and sell used phones and tablets: checked, with a year of warranty, at an honest price.",
      );

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  // Public: what the frame of every page shows.
  const signedIn = await seemsSignedIn(context, request);
  const { toast, headers } = await takeToast(context, request);
  if (await holdsDeadSession(context, request)) {
    for (const cookie of (await sessionForgotten(context)).getSetCookie())
      headers.append("Set-Cookie", cookie);
  }
  const origin = publicOrigin(context, request);
  return data({ signedIn, toast, origin }, { headers });
}

export function Layout({ children }: { children: ReactNode }) {
  const frame = useRouteLoaderData<typeof loader>("root");
  const failure = useRouteError() as { data?: { signedIn?: boolean } } | undefined;
  const behindDialog = useMatches().some(
    ({ handle }) => (handle as { dialog?: boolean } | undefined)?.dialog,
  );
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fbf8f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#14151c" media="(prefers-color-scheme: dark)" />
        <Meta />
        {frame && <SiteTags origin={frame.origin} />}
        <Links />
      </head>
      <body className="flex min-h-dvh flex-col bg-base-100 text-base-content antialiased">
        <a
          href="#main"
          className="absolute top-2 left-2 z-50 -translate-y-20 rounded-field bg-neutral px-4 py-2 text-neutral-content focus:translate-y-0"
        >
          Skip to content
        </a>
        <NavigationProgress />
        <SiteHeader signedIn={(frame ?? failure?.data)?.signedIn ?? false} />
        <ToastContext.Provider value={frame?.toast ?? null}>
          <main id="main" tabIndex={-1} className="flex-1 outline-none">
            {children}
          </main>
          <ListSpinner />
          <SiteFooter />
          {!behindDialog && <ToastRegion />}
        </ToastContext.Provider>
        <ScrollMemory />
        <KeptFocus />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const { reference } = useContext(RequestMarksContext);
  if (!isRouteErrorResponse(error)) return <Failure reference={reference} />;
  if (error.status === 503) return <Away reference={reference} unsent={error.data?.unsent} />;
  return error.status === 404 ? <NotFound /> : <Refused />;
}
