import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";
import type { UnreadCounts } from "./unread.server.ts";

const none: UnreadCounts = { notifications: 0, messages: 0, offers: 0, work: {} };

const UnreadContext = createContext(none);

/** What the user has not read; nothing until it is known. */
export const useUnread = () => useContext(UnreadContext);

/**
 * Knows what is unread. Pages of the dashboard bring it along, for those without JavaScript too; the browser loads it on
 * each page, whose HTML may come from a cache, and when the window gets the focus.
 */
export function UnreadProvider({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const loaded = useRouteLoaderData<{ unread: UnreadCounts }>("manage")?.unread;
  // Work counts what waits itself.
  const work = useRouteLoaderData<{ work: { counts: UnreadCounts["work"] } }>("manage-work")?.work.counts;
  const [unread, setUnread] = useState({ ...(loaded ?? none), ...(work && { work }) });
  const [shown, setShown] = useState({ loaded, work });
  const { pathname } = useLocation();
  // The dashboard is not loaded again by each link, so what it has brought may be old by then.
  if (loaded !== shown.loaded || work !== shown.work) {
    setShown({ loaded, work });
    const isNew = loaded !== undefined && loaded !== shown.loaded;
    setUnread((current) => ({ ...(isNew ? loaded : current), ...(work && { work }) }));
  }
  useEffect(() => {
    if (!signedIn) return setUnread(none);
    const unmount = new AbortController();
    const load = async () => {
      const current = await fetchOptionalJson<UnreadCounts>("/manage/unread", unmount.signal);
      if (current && !unmount.signal.aborted) setUnread(current);
    };
    load();
    addEventListener("focus", load, { signal: unmount.signal });
    return () => unmount.abort();
  }, [signedIn, pathname]);
  return <UnreadContext.Provider value={unread}>{children}</UnreadContext.Provider>;
}

/** A number of things that are unread or wait, after a label. @param label of the number, if not up to "99+" */
export function UnreadBadge({
  count,
  label = count > 99 ? "99+" : String(count),
  meaning = "unread",
  className = "",
}: {
  count: number;
  label?: string;
  meaning?: string;
  className?: string;
}) {
  if (count === 0) return null;
  return (
    <span
      className={`badge badge-sm border-transparent bg-accent font-semibold text-accent-content ${className}`}
    >
      {label}
      <span className="sr-only"> {meaning}</span>
    </span>
  );
}
