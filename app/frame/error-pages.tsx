import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import { useContext, useState } from "react";
import { brand } from "#app/brand.ts";
import { outageText } from "#app/server/forms/refused-form.ts";
import type { UnsentForm } from "#app/server/forms/unsent-form.server.ts";
import { refusedTitle } from "#app/server/http/page-title.ts";
import { ServerRenderContext } from "#app/server/http/server-render-context.ts";

export interface ErrorContent {
  title: string;
  text: string;
  /** Where to go instead. */
  link?: { to: string; label: string };
  /** What to do first, while this page keeps the form. */
  newTab?: { to: string; label: string };
}

const failure: ErrorContent = {
  title: "Something went wrong on our side",
  text: "Try again in a moment. Sent a form? Check first whether it was saved.",
};
const outage: ErrorContent = {
  title: `${brand.name} is temporarily unavailable`,
  text: outageText,
};
const endedSession: ErrorContent = {
  title: "Your session has ended",
  text: "Nothing is saved yet. Use a new tab to log in, then come back and submit again.",
  newTab: { to: "/login", label: "Log in (new tab)" },
};
const suspendedAccount: ErrorContent = {
  title: "Your account is suspended",
  text: "Nothing was changed. Copy your text to use it once the suspension is over.",
};
const refusal: ErrorContent = {
  title: refusedTitle,
  text: "We couldn’t make sense of that, so nothing was changed. Go back, reload the page and try again.",
};
const missingPage: ErrorContent = {
  title: "Page not found",
  text: "This page doesn’t exist, or it’s gone.",
  link: { to: "/products", label: "Browse devices" },
};

/** The status of the error, what the page says, and the form that was not processed. @param missing for 404 */
export function useCaughtError(missing: ErrorContent): {
  status: number;
  content: ErrorContent;
  unsent: UnsentForm | null;
} {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return { status: 500, content: failure, unsent: null };
  const { status, data } = error;
  const newTab = data?.suspensionPath && {
    to: data.suspensionPath,
    label: "See why, and what you can do (new tab)",
  };
  const content = newTab ? { ...suspendedAccount, newTab } : contentOf(status, missing);
  return { status, content, unsent: data?.unsent ?? null };
}

function contentOf(status: number, missing: ErrorContent): ErrorContent {
  if (status === 404) return missing;
  if (status === 503) return outage;
  if (status === 401) return endedSession;
  return status >= 500 ? failure : refusal;
}

/** @param missing the content for 404 */
export function RouteError({ missing = missingPage }: { missing?: ErrorContent }) {
  const { status, content, unsent } = useCaughtError(missing);
  const { title, text, link, newTab } = content;
  const { pathname, search } = useLocation();
  const isOutage = status === 503;
  return (
    <div className="page-width flex flex-col items-center py-16 text-center sm:py-24">
      {status === 404 && (
        <img
          src="/not-found.svg"
          alt="A telephone receiver off the hook, its cord leading nowhere"
          width="400"
          height="280"
          className="mb-8 w-full max-w-sm"
        />
      )}
      <h1 className="text-4xl font-semibold">{title}</h1>
      <p className="mt-3 max-w-prose text-quiet">{text}</p>
      {newTab && <NewTabLink {...newTab} />}
      {unsent && <SubmitAgain form={unsent} />}
      {status >= 500 && <ErrorReference />}
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        {link && (
          <Link to={link.to} className="btn btn-primary">
            {link.label}
          </Link>
        )}
        {isOutage && (
          // Not a <Link>: scripts may have failed to load.
          <a href={pathname + search} className={`btn ${unsent ? "btn-outline" : "btn-primary"}`}>
            {unsent ? "Back to the page" : "Try again"}
          </a>
        )}
        {status === 404 || isOutage || unsent ? (
          <a href="/" className="btn btn-outline">
            Home
          </a>
        ) : (
          <a href="/" className="btn btn-primary">
            Go to the home page
          </a>
        )}
      </p>
    </div>
  );
}

export function NewTabLink({ to, label }: NonNullable<ErrorContent["newTab"]>) {
  return (
    <p className="mt-6">
      <a href={to} target="_blank" rel="noreferrer" className="btn btn-primary">
        {label}
      </a>
    </p>
  );
}

export function SubmitAgain({ form: { to, fields, entered } }: { form: UnsentForm }) {
  return (
    <form method="post" action={to} className="mt-8 grid w-full max-w-md gap-4 text-left">
      {entered.length > 0 && (
        <dl className="grid gap-2">
          {entered.map(([name, value]) => (
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
        Submit again
      </button>
    </form>
  );
}

const referenceId = "reference";

/** The request's id in the log. Only the server knows it, so hydration reads it from the page. */
export function ErrorReference() {
  const { reference } = useContext(ServerRenderContext);
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
