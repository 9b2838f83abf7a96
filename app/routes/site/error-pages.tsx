import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import { useContext, useState } from "react";
import { RenderContext } from "#app/platform/render-context.ts";
import type { UnsentForm } from "#app/platform/unsent-form.server.ts";
import { Dialog } from "#app/ui/dialog.tsx";

/** What an error boundary shows in place of its page. */
export function RouteError() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <Failure />;
  if (error.status === 503) return <Away unsent={error.data?.unsent ?? null} />;
  return error.status === 404 ? <NotFound /> : <Refused />;
}

/** What the error boundary of a dialog shows: the page behind stays. */
export function ErrorDialog({ closeTo }: { closeTo: string }) {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const unsent: UnsentForm | null = isRouteErrorResponse(error) ? (error.data?.unsent ?? null) : null;
  const { title, text } = dialogErrors[status] ?? { title: failureTitle, text: failureText };
  return (
    <Dialog title={title} closeTo={closeTo}>
      <div className="flex flex-col items-center py-6 text-center">
        <p role="alert" className="max-w-prose">
          {text}
        </p>
        {unsent && <SendAgain form={unsent} />}
        {status >= 500 && <Reference />}
        <p className="mt-6">
          <Link to={closeTo} preventScrollReset className={`btn ${unsent ? "btn-outline" : "btn-primary"}`}>
            Back to the list
          </Link>
        </p>
      </div>
    </Dialog>
  );
}

const refusedTitle = "That was not understood";
const refusedText =
  "What was sent is not what this page takes, so nothing was done. Go back, load the page anew and try again.";
const awayTitle = "The line is busy";
const awayPageText =
  "Our phones are all still here, but we cannot reach them right now. Nothing was booked, sold or changed by halves. Please try again in a moment.";
const failureTitle = "Something went wrong on our side";
const failureText =
  "Nothing you did is lost, and nothing was booked by halves. Please try again in a moment.";

const dialogErrors: Record<number, { title: string; text: string }> = {
  400: { title: refusedTitle, text: refusedText },
  404: { title: "This phone is not listed", text: "It was removed, or the address has a mistake in it." },
  503: { title: awayTitle, text: awayPageText },
};

/** Any path that leads nowhere. */
function NotFound() {
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
function Refused() {
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <h1 className="text-4xl font-semibold">{refusedTitle}</h1>
      <p className="mt-3 max-w-prose text-quiet">{refusedText}</p>
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
 * @param unsent the form that did not get through, if it was one
 */
function Away({ unsent }: { unsent: UnsentForm | null }) {
  const { pathname, search } = useLocation();
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <h1 className="text-4xl font-semibold">{awayTitle}</h1>
      <p className="mt-3 max-w-prose text-quiet">{awayPageText}</p>
      {unsent && <SendAgain form={unsent} />}
      <Reference />
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

/** Something broke on our side. */
function Failure() {
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      <h1 className="text-4xl font-semibold">{failureTitle}</h1>
      <p className="mt-3 max-w-prose text-quiet">{failureText}</p>
      <Reference />
      <p className="mt-8">
        <a href="/" className="btn btn-primary">
          Back to the start
        </a>
      </p>
    </div>
  );
}

const referenceId = "reference";

/** The request's id in the log. After hydration it is read from the page, since only the server knows it. */
function Reference() {
  const { reference } = useContext(RenderContext);
  const [shown] = useState(() =>
    typeof document === "undefined" ? reference : document.getElementById(referenceId)?.textContent,
  );
  if (!shown) return null;
  return (
    <p className="mt-3 text-sm text-quiet">
      Reference: <code id={referenceId}>{shown}</code>
    </p>
  );
}
