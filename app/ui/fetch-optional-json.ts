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
