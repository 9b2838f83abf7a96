import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";
import type { Unread } from "./unread.server.ts";

const none: Unread = { notifications: 0, messages: 0, offers: 0, work: {} };

const UnreadContext = createContext(none);

/** What the user has not read; nothing until it is known. */
export const useUnread = () => useContext(UnreadContext);

/**
 * Knows what is unread. Pages of the dashboard bring it along, for those without JavaScript too; the browser loads it on
 * each page, whose HTML may come from a cache, and when the window gets the focus.
 */
export function UnreadProvider({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const loaded = useRouteLoaderData<{ unread: Unread }>("manage")?.unread;
  const [unread, setUnread] = useState(loaded ?? none);
  const [shown, setShown] = useState(loaded);
  const { pathname } = useLocation();
  if (loaded && loaded !== shown) {
    setShown(loaded);
    setUnread(loaded);
  }
  useEffect(() => {
    if (!signedIn) return setUnread(none);
    const unmount = new AbortController();
    const load = async () => {
      const current = await fetchOptionalJson<Unread>("/manage/unread", unmount.signal);
      if (current && !unmount.signal.aborted) setUnread(current);
    };
    load();
    addEventListener("focus", load, { signal: unmount.signal });
    return () => unmount.abort();
  }, [signedIn, pathname]);
  return <UnreadContext.Provider value={unread}>{children}</UnreadContext.Provider>;
}

/** A number of things that are unread or wait, after a label. */
export function UnreadBadge({
  count,
  meaning = "unread",
  className = "",
}: {
  count: number;
  meaning?: string;
  className?: string;
}) {
  if (count === 0) return null;
  return (
    <span
      className={`badge badge-sm border-transparent bg-accent font-semibold text-accent-content ${className}`}
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {meaning}</span>
    </span>
  );
}
