// Answers a navigation that does not reach the server with an offline page, and nothing else. It caches nothing.
// How to remove it from browsers again: docs/maintenance.md#offline.

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  // Browsers then send a navigation without waiting for this worker to start.
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener("fetch", (event) => {
  const { method, mode } = event.request;
  if (method === "GET" && mode === "navigate") event.respondWith(navigate(event));
});

async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return offlinePage();
  }
}

function offlinePage() {
  const nonce = crypto.randomUUID();
  return new Response(pageWith(nonce), {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "Cache-Control": "no-store",
    },
  });
}

const pageWith = (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>You’re offline · Ringback</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; --page: #fbf8f1; --text: #1c1b24; --button: #2f3fc4; --on-button: #ffffff; }
  @media (prefers-color-scheme: dark) {
    :root { --page: #171512; --text: #f3eee2; --button: #aab5ff; --on-button: #14173d; }
  }
  body { margin: 0; min-height: 100dvh; display: grid; place-content: center; box-sizing: border-box; padding: 1.5rem;
    background: var(--page); color: var(--text); font: 1rem/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; }
  main { max-width: 28rem; }
  p { margin: 0 0 1rem; }
  h1 { margin: 0 0 .75rem; font-size: 2rem; line-height: 1.15; }
  a { display: inline-block; border-radius: .5rem; padding: .625rem 1.25rem; background: var(--button);
    color: var(--on-button); font-weight: 600; text-decoration: none; }
  a:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
  @media (forced-colors: active) { a { border: 1px solid; } }
</style>
</head>
<body>
<main>
<p>Ringback</p>
<h1>You’re offline</h1>
<p>We couldn’t load this page. Check your connection and try again.</p>
<p><a href="">Try again</a></p>
</main>
</body>
</html>
`;
