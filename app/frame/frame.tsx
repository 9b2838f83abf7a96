import { useLocation, useMatches, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { lazy, type ReactNode, Suspense } from "react";
import { categories } from "#app/features/catalog/category.rules.ts";
import type { ShownToast } from "#app/server/forms/flash.server.ts";
import { useHydrated } from "#app/ui/hydrated.ts";
import { NavigationProgress, Spinner } from "#app/ui/pending.tsx";
import { useStalledRequest } from "#app/ui/stalled-request.ts";
import { ToastProvider, ToastRegion } from "#app/ui/toast.tsx";
import { SiteFooter } from "./footer.tsx";
import { SiteHeader } from "./header.tsx";
import { showsDialog } from "./route-handle.ts";
import { UnreadProvider } from "./unread.tsx";

const AfterHydration = lazy(() => import("./after-hydration.tsx").catch(() => ({ default: () => null })));

export interface FrameData {
  signedIn: boolean;
  toast: ShownToast | null;
  origin: string;
  /** The pages that the footer links. */
  pages: { slug: string; title: string }[];
}

const unknownFrame: FrameData = { signedIn: false, toast: null, origin: "", pages: [] };

/** The data of the root loader, which Remix leaves out of some error pages. */
export function useFrame(): FrameData {
  return useRouteLoaderData<FrameData>("root") ?? unknownFrame;
}

export function SiteFrame({ children }: { children: ReactNode }) {
  const { signedIn, toast, pages } = useFrame();
  const hasDialog = useMatches().some(showsDialog);
  return (
    <UnreadProvider signedIn={signedIn}>
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-field bg-neutral px-4 py-2 text-neutral-content focus:translate-y-0"
      >
        Skip to content
      </a>
      <NavigationProgress />
      <SiteHeader signedIn={signedIn} />
      <ToastProvider toast={toast}>
        {!hasDialog && <ToastRegion className="sticky top-16 z-30 low:top-0 noscript:static" />}
        <main id="main" tabIndex={-1} className="flex-1 outline-none">
          {children}
        </main>
        <ListSpinner />
        <SiteFooter pages={pages} />
        {useHydrated() && (
          <Suspense>
            <AfterHydration message={toast?.message} />
          </Suspense>
        )}
      </ToastProvider>
    </UnreadProvider>
  );
}

function ListSpinner() {
  const { state, location: next } = useNavigation();
  const { pathname, search } = useLocation();
  const moves = state === "loading" && (next.pathname !== pathname || next.search !== search);
  const isStalled = useStalledRequest() !== undefined;
  if (!moves || isStalled) return null;
  const category = categories.find(({ path }) => path === next.pathname);
  // Closing a dialog shows a list that is already loaded.
  if (category && pathname.startsWith(`${category.path}/`) && next.search === search) return null;
  if (category) return <Spinner>{`Loading ${category.noun}s…`}</Spinner>;
  if (next.pathname.startsWith("/manage")) return <Spinner>Loading…</Spinner>;
  return null;
}
