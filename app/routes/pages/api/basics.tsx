import { PageText } from "#app/features/pages/page-text.tsx";
import { market } from "#app/market.ts";
import type basics from "./basics.md";

const example = `curl 'https://HOST/phoneInfoCollection/Android/Smart%20Phone?limit=20'

curl -H 'Authorization: Bearer TOKEN' https://HOST/bookings`;

/** What is true of all operations. */
export function Basics({ sections }: { sections: typeof basics }) {
  return (
    <>
      <p className="mt-4 max-w-prose text-lg text-pretty text-quiet">
        Browse, sell, book and administer over HTTP. JSON in UTF-8, prices in {market.currencyName}. The
        machine-readable version is at{" "}
        <a href="/openapi.json" className="link">
          /openapi.json
        </a>{" "}
        (OpenAPI 3.1).
      </p>
      <pre className="mt-6 rounded-box bg-base-200 wrap-anywhere whitespace-pre-wrap px-4 py-3 text-sm">
        <code>{example}</code>
      </pre>
      <dl className="mt-8 grid gap-x-10 [&_code]:whitespace-nowrap gap-y-6 sm:grid-cols-2">
        {sections.map(({ title, html }) => (
          <div key={title}>
            <dt className="font-semibold">{title}</dt>
            <dd className="mt-1 text-quiet">
              <PageText html={html} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
