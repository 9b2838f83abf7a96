/**
 * Fetches JSON for a page that goes on without it: null when it does not come, whatever the reason. A fetcher of Remix
 * would show the error page, or follow a redirect to the login page.
 */
export async function fetchInBackground<Data>(path: string, signal: AbortSignal): Promise<Data | null> {
  try {
    const response = await fetch(path, { signal });
    return response.ok && !response.redirected ? ((await response.json()) as Data) : null;
  } catch {
    return null;
  }
}
