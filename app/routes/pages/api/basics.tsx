import { market } from "#app/market.ts";

const basics = [
  {
    title: "Personal access tokens",
    text: (
      <>
        Create a token on{" "}
        <a href="/manage/account/tokens" className="link">
          My account
        </a>{" "}
        and send it as <code>Authorization: Bearer rb_…</code>. It works from anywhere, including pages on
        allowed origins, until it expires or you revoke it. A read-only token gets 403 for anything but{" "}
        <code>GET</code>. Tokens can’t sign up, call <code>GET /jwt</code> or do what only staff can: an
        administrator’s reads no one else’s data.
      </>
    ),
  },
  {
    title: "Logging in",
    text: (
      <>
        Log in at <code>/login</code>, or sign up with <code>POST /users</code>. Either one sets the session
        cookie that our pages use, too. Browsers don’t send it from other sites. <code>GET /jwt</code> turns
        it into a bearer token: valid for an hour, or until your session ends. A bearer token beats the
        cookie: if it’s invalid or expired, you get 401. Only <code>GET /jwt</code> always reads the cookie: a
        token can’t renew itself.
      </>
    ),
  },
  {
    title: "Lists",
    text: (
      <>
        You get the whole list, newest first. Add <code>?limit=</code> to get one page, with a{" "}
        <code>Link</code> header to the next. Public lists have an <code>ETag</code>: send it back as{" "}
        <code>If-None-Match</code>, and you get 304 if nothing has changed.
      </>
    ),
  },
  {
    title: "Idempotency keys",
    text: (
      <>
        Send a <code>POST</code> with an <code>Idempotency-Key</code> you make up, and you can safely retry it
        for 24 hours. A retry gets the first response again, and nothing happens twice.
      </>
    ),
  },
  {
    title: "Errors",
    text: (
      <>
        Errors are problem details (RFC 9457): a <code>status</code>, a <code>detail</code> in plain words
        and, for invalid values, <code>errors</code>, each with a pointer to the value.
      </>
    ),
  },
];

const example = `curl 'https://HOST/phoneInfoCollection/Android/Smart%20Phone?limit=20'

curl -H 'Authorization: Bearer TOKEN' https://HOST/bookings`;

export function Basics() {
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
      <dl className="mt-8 [&_code]:text-[0.9em] [&_code]:whitespace-nowrap grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {basics.map(({ title, text }) => (
          <div key={title}>
            <dt className="font-semibold">{title}</dt>
            <dd className="mt-1 text-pretty text-quiet">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
