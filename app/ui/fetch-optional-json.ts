import { useEffect, useState } from "react";

/**
 * Fetches optional JSON; null if the request fails for any reason. A Remix fetcher would show the error page, or follow
 * a redirect to the login page.
 */
export async function fetchOptionalJson<Data>(path: string, signal: AbortSignal): Promise<Data | null> {
  try {
    const response = await fetch(path, { signal });
    return response.ok && !response.redirected ? ((await response.json()) as Data) : null;
  } catch {
    return null;
  }
}

/**
 * Optional JSON from a path, fetched after a delay. What an earlier path gave stays until the response arrives; null
 * before the first one, and without a path.
 *
 * @param attempt another number repeats the request
 */
export function useOptionalJson<Data>(path: string | null, delayMs = 0, attempt = 0) {
  const [loaded, setLoaded] = useState<{ path: string; data: Data | null } | null>(null);
  useEffect(() => {
    if (path === null) return setLoaded(null);
    const outdated = new AbortController();
    const timer = setTimeout(async () => {
      const data = await fetchOptionalJson<Data>(path, outdated.signal);
      if (!outdated.signal.aborted) setLoaded({ path, data });
    }, delayMs);
    return () => {
      clearTimeout(timer);
      outdated.abort();
    };
  }, [path, delayMs, attempt]);
  return loaded;
}
