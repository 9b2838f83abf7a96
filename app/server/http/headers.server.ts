/** Sent with every answer of the Worker; `public/_headers` says the same for static files. */
const everywhere = Object.entries({
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains; preload",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  // Keeps the Origin header on our own form posts, which `no-referrer` would blank.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy":
    "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
});

/**
 * Adds the security headers to an answer, and keeps it out of every cache unless it says otherwise.
 *
 * @param answer changed in place: a copy would turn its body into a stream
 * @param formTargets other sites that a form of ours may lead to
 */
export function withSecurityHeaders(answer: Response, nonce: string, formTargets: string[] = []): Response {
  const { headers } = answer;
  const openToOthers = headers.get("Cross-Origin-Resource-Policy");
  for (const [name, value] of everywhere) headers.set(name, value);
  // An answer that is for pages of others says so itself.
  if (openToOthers) headers.set("Cross-Origin-Resource-Policy", openToOthers);
  // A stored page must keep the nonce it was stored with, so "not modified" brings no new one.
  if (answer.status !== 304) {
    const isPage = headers.get("Content-Type")?.startsWith("text/html");
    headers.set(
      "Content-Security-Policy",
      isPage ? pagePolicy(nonce, formTargets) : "default-src 'none'; frame-ancestors 'none'",
    );
  }
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  return answer;
}

/** @see https://www.w3.org/TR/CSP3/ */
function pagePolicy(nonce: string, formTargets: string[]): string {
  // Vite's development server puts styles inline and speaks over a web socket.
  const development = import.meta.env.DEV;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ""}`,
    "img-src 'self' https: data:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "manifest-src 'self'",
    // Chromium holds every redirect that answers a form against this too.
    ["form-action 'self'", ...formTargets].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
