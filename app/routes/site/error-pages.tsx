import { Link, useLocation } from "@remix-run/react";
import { referenceElement } from "#app/platform/request-marks.ts";
import type { UnsentForm } from "#app/platform/unsent-form.server.ts";

/** Any path that leads nowhere. */
export function NotFound() {
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <img
        src="/not-found.svg"
        alt="A telephone receiver off the hook, its cord leading nowhere"
        width="400"
        height="280"
        className="w-full max-w-sm"
      />
      <h1 className="mt-8 text-4xl font-semibold">Nobody picks up here</h1>
      <p className="mt-3 max-w-prose text-quiet">
        This page does not exist, or the phone it showed is no longer listed.
      </p>
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/products" className="btn btn-primary">
          Look at phones
        </Link>
        <Link to="/" className="btn btn-outline">
          Home
        </Link>
      </p>
    </div>
  );
}

/** A request that no page of ours sends, or one that its page does not take. */
export function Refused() {
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <h1 className="text-4xl font-semibold">That was not understood</h1>
      <p className="mt-3 max-w-prose text-quiet">
        What was sent is not what this page takes, so nothing was done. Go back, load the page anew and try
        again.
      </p>
      <p className="mt-8">
        <Link to="/" className="btn btn-primary">
          Back to the start
        </Link>
      </p>
    </div>
  );
}

/**
 * The database is out of reach.
 *
 * @param reference the request's name in the log, when the server knows one
 * @param unsent the form that did not get through, if it was one
 */
export function Away({ reference, unsent }: { reference: string | undefined; unsent: UnsentForm | null }) {
  const { pathname, search } = useLocation();
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <h1 className="text-4xl font-semibold">The line is busy</h1>
      <p className="mt-3 max-w-prose text-quiet">
        Our phones are all still here, but we cannot reach them right now. Nothing was booked, sold or changed
        by halves. Please try again in a moment.
      </p>
      {unsent && <SendAgain form={unsent} />}
      <Reference reference={reference} />
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <a href={pathname + search} className={`btn ${unsent ? "btn-outline" : "btn-primary"}`}>
          {unsent ? "Back to the page" : "Try again"}
        </a>
        <a href="/" className="btn btn-outline">
          Home
        </a>
      </p>
    </div>
  );
}

/** What was typed, and a button that sends it once more, without our scripts too. */
function SendAgain({ form: { to, fields, typed } }: { form: UnsentForm }) {
  return (
    <form method="post" action={to} className="mt-8 grid w-full max-w-md gap-4 text-left">
      {typed.length > 0 && (
        <dl className="grid gap-2">
          {typed.map(([name, value]) => (
            <div key={name + value}>
              <dt className="text-sm text-quiet">{name}</dt>
              <dd className="whitespace-pre-line wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {fields.map(([name, value]) => (
        <input key={name + value} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="btn btn-primary">
        Send it again
      </button>
    </form>
  );
}

/**
 * Something broke on our side.
 *
 * @param reference the request's name in the log, when the server knows one
 */
export function Failure({ reference }: { reference: string | undefined }) {
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <h1 className="text-4xl font-semibold">Something went wrong on our side</h1>
      <p className="mt-3 max-w-prose text-quiet">
        Nothing you did is lost, and nothing was booked by halves. Please try again in a moment.
      </p>
      <Reference reference={reference} />
      <p className="mt-8">
        <a href="/" className="btn btn-primary">
          Back to the start
        </a>
      </p>
    </div>
  );
}

function Reference({ reference }: { reference: string | undefined }) {
  if (!reference) return null;
  return (
    <p className="mt-3 text-sm text-quiet">
      Reference: <code id={referenceElement}>{reference}</code>
    </p>
  );
}
