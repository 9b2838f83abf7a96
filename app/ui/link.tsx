import { Link as RemixLink } from "@remix-run/react";
import type { ComponentPropsWithoutRef } from "react";

interface LinkProps extends Omit<ComponentPropsWithoutRef<"a">, "href"> {
  /** An absolute path on this site, with query string and fragment. */
  to: string;
  preventScrollReset?: boolean;
  /** "intent" loads the page as soon as the link is hovered, touched or focused. */
  prefetch?: "intent" | "none";
}

/**
 * Remix's `<Link>` for absolute paths. The server renders a plain `<a>` with the same markup, which is much faster.
 * Use it on pages with many links; Remix's own also takes relative paths, `replace` and `state`.
 */
export const Link = typeof document === "undefined" ? ServerLink : BrowserLink;

function ServerLink({ to, preventScrollReset: _, prefetch: __, ...attributes }: LinkProps) {
  return <a {...attributes} href={to} />;
}

function BrowserLink(props: LinkProps) {
  // Route discovery is off, and the markup must equal the server's.
  return <RemixLink discover="none" {...props} />;
}
