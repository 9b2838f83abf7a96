import { Link } from "@remix-run/react";
import { Dialog } from "#app/ui/dialog.tsx";
import {
  type ErrorContent,
  ErrorReference,
  NewTabLink,
  SubmitAgain,
  useCaughtError,
} from "./error-pages.tsx";

const missingPhone: ErrorContent = {
  title: "This listing is gone",
  text: "It was taken down, or the link is wrong.",
};

/** The error boundary of a dialog, which keeps the list behind it. */
export function ErrorDialog({ closeTo }: { closeTo: string }) {
  const { status, content, unsent } = useCaughtError(missingPhone);
  const { title, text, newTab } = content;
  return (
    <Dialog title={title} closeTo={closeTo}>
      <div className="flex flex-col items-center py-6 text-center">
        <p role="alert" className="max-w-prose">
          {text}
        </p>
        {newTab && <NewTabLink {...newTab} />}
        {unsent && <SubmitAgain form={unsent} />}
        {status >= 500 && <ErrorReference />}
        <p className="mt-6">
          <Link to={closeTo} preventScrollReset className={`btn ${unsent ? "btn-outline" : "btn-primary"}`}>
            {closeTo.startsWith("/phones/") ? "Back to the listing" : "Back to the list"}
          </Link>
        </p>
      </div>
    </Dialog>
  );
}
