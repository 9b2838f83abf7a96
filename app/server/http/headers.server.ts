/** Security headers of every response of the Worker; `public/_headers` has the same for static files. */
const securityHeaders = Object.entries({
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains; preload",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  // `no-referrer` would blank the Origin header of our own form posts.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy":
    "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
});

/** The policy of what is no page. `default-src` does not include `base-uri`. */
const filePolicy = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Adds the security headers, changing the response in place: a copy would turn its body into a stream. */
export function withSecurityHeaders(response: Response, nonce: string, formTargets: string[] = []): Response {
  const { headers } = response;
  const resourcePolicy = headers.get("Cross-Origin-Resource-Policy");
  for (const [name, value] of securityHeaders) headers.set(name, value);
  if (resourcePolicy) headers.set("Cross-Origin-Resource-Policy", resourcePolicy);
  // A 304 must not replace the policy of the browser's stored page, whose nonce is older.
  if (response.status !== 304) {
    const isPage = headers.get("Content-Type")?.startsWith("text/html");
    headers.set("Content-Security-Policy", isPage ? pagePolicy(nonce, formTargets) : filePolicy);
  }
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  return response;
}

function pagePolicy(nonce: string, formTargets: string[]): string {
  // Vite's development server uses inline styles and a web socket.
  const development = import.meta.env.DEV;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ""}`,
    "img-src 'self' https: data:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "manifest-src 'self'",
    // Chromium applies this to the redirects after a form post too.
    ["form-action 'self'", ...formTargets].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
