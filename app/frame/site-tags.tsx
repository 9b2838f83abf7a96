import { useLocation, useMatches, useRouteError } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { handleOf } from "./route-handle.ts";

export function SiteTags({ origin }: { origin: string }) {
  const { pathname, search } = useLocation();
  const matches = useMatches();
  const failed = Boolean(useRouteError());
  const page = matches.at(-1);
  if (failed || !page) return null;
  const { params, data } = page;
  const found = handleOf(page).canonical?.({ params, pathname, search: new URLSearchParams(search), data });
  if (!found) return <meta name="robots" content="noindex" />;
  const address = new URL(found.address, origin).href;
  const picture = matches.map((match) => handleOf(match).picture?.(match.data)).find(Boolean);
  return (
    <>
      <link rel="canonical" href={address} />
      {found.feed && (
        <link
          rel="alternate"
          type="application/rss+xml"
          title={found.feed.title}
          href={new URL(found.feed.address, origin).href}
        />
      )}
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:type" content={found.kind} />
      <meta property="og:url" content={address} />
      {picture ? (
        <meta property="og:image" content={new URL(picture, origin).href} />
      ) : (
        <>
          <meta property="og:image" content={`${origin}/ringback.png`} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={`${brand.name}: ${brand.tagline}`} />
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
