import { Form, Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { AccountPage } from "./account-page.tsx";

/** Shows the login form to a signed-in user too. */
export const againParameter = "again";

export const signedInTitle = "You are logged in";

/** In place of the login or sign-up form, for a user who is signed in already. */
export function SignedInPage({ continueTo, children }: { continueTo: string; children: ReactNode }) {
  return (
    <AccountPage title={signedInTitle}>
      <p className="text-lg wrap-anywhere">{children}</p>
      <div className="mt-6 grid gap-3">
        <Link to={continueTo} className="btn btn-primary">
          Continue
        </Link>
        <Form method="post" action="/logout" className="grid">
          <SubmitButton action="/logout" className="btn-outline">
            Log Out
          </SubmitButton>
        </Form>
      </div>
    </AccountPage>
  );
}

/** In place of the login form, for a user who may not open the requested page. */
export function WrongAccountPage({ title, email }: { title: string; email: string }) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  query.set(againParameter, "yes");
  return (
    <AccountPage title={title}>
      <p className="text-lg wrap-anywhere">
        You are logged in as <EmailAddress email={email} />. Log in with another account to open this page.
      </p>
      <div className="mt-6 grid gap-3">
        {/* Not a <Link>: a new page gets the focus. */}
        <a href={`/login?${query}`} className="btn btn-primary">
          Log in with another account
        </a>
        <Link to="/" className="btn btn-outline">
          Home
        </Link>
      </div>
    </AccountPage>
  );
}
