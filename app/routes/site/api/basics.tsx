/** What holds for all calls. */
const basics = [
  {
    title: "Signing in",
    text: (
      <>
        Log in by the form of <code>/login</code>, or sign up by <code>POST /users</code>: both set a session
        cookie, which serves here as it serves the pages. Where cookies are in the way, ask{" "}
        <code>GET /jwt</code> for a token and send it as <code>Authorization: Bearer …</code>. It lasts an
        hour, and ends with its session or account.
      </>
    ),
  },
  {
    title: "Lists",
    text: (
      <>
        A list is answered whole, newest first. With <code>?limit=</code> it comes in pages, and a{" "}
        <code>Link</code> header leads to the next. Public lists carry an <code>ETag</code>: send it back as{" "}
        <code>If-None-Match</code>, and what has not changed is not sent again.
      </>
    ),
  },
  {
    title: "Doing something once",
    text: (
      <>
        Give a <code>POST</code> an <code>Idempotency-Key</code> of your own making, and you may repeat it
        without fear for 24 hours: the repeat is answered as the first was, and does nothing.
      </>
    ),
  },
  {
    title: "When it is refused",
    text: (
      <>
        Refusals are problem details (RFC 9457): <code>status</code>, <code>detail</code> in words, and for
        values that do not fit <code>errors</code>, each with the place it points to.
      </>
    ),
  },
];

const example = `curl 'https://HOST/phoneInfoCollection/Android/Smart%20Phone?limit=20'

curl -c cookies -d 'email=EMAIL' -d 'password=PASSWORD' https://HOST/login
curl -b cookies 'https://HOST/jwt?email=EMAIL'`;

/** What a newcomer should know before the first call. */
export function Basics() {
  return (
    <>
      <p className="mt-4 max-w-prose text-lg text-pretty text-quiet">
        Browse, sell, book and administer by calls: JSON in UTF-8, prices in dollars. The same description for
        machines is at{" "}
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
