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
        and send it as <code>Authorization: Bearer rb_…</code>. It works from anywhere, pages of allowed
        origins included, until it expires or you revoke it. A token that can only read gets 403 for
        everything but <code>GET</code>. No token manages accounts: signing up, <code>GET /jwt</code>, and
        deleting or verifying users need a login.
      </>
    ),
  },
  {
    title: "Logging in",
    text: (
      <>
        Log in with the form of <code>/login</code>, or sign up with <code>POST /users</code>. Both set the
        session cookie that the pages use too; browsers do not send it from pages of other sites.{" "}
        <code>GET /jwt</code> turns it into a bearer token that is valid for one hour, and only while its
        session and account exist. A bearer token wins over the cookie: if it is invalid or expired, the
        response is 401. Only <code>GET /jwt</code> then uses the cookie, to renew it.
      </>
    ),
  },
  {
    title: "Lists",
    text: (
      <>
        A response contains the whole list, newest first. With <code>?limit=</code> it contains one page, and
        a <code>Link</code> header links to the next. Public lists have an <code>ETag</code>: send it back as{" "}
        <code>If-None-Match</code>, and an unchanged list is answered with 304.
      </>
    ),
  },
  {
    title: "Idempotency keys",
    text: (
      <>
        Send a <code>POST</code> with an <code>Idempotency-Key</code> of your choice, and you can safely retry
        it for 24 hours: a retry gets the response of the first request and changes nothing.
      </>
    ),
  },
  {
    title: "Errors",
    text: (
      <>
        Errors are problem details (RFC 9457): <code>status</code>, <code>detail</code> in words, and for
        invalid values <code>errors</code>, each with a pointer to its value.
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
        Browse, sell, book and administer over HTTP: JSON in UTF-8, prices in {market.currencyName}. The
        machine-readable description is at{" "}
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
