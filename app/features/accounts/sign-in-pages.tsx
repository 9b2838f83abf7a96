import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { Form, Link, useLocation, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { invalidEmail } from "./account.rules.ts";
import type { AcceptedVersions } from "./sign-up.server.ts";

/** The layout of the login, sign-up and recovery pages. */
export function SignInLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page-width grid gap-8 py-10 lg:grid-cols-2 lg:items-start lg:gap-16 lg:py-16">
      <section className="mx-auto w-full max-w-md lg:order-2">
        <h1 className="mb-6 text-4xl font-semibold">{title}</h1>
        {children}
      </section>
      <aside className="mx-auto hidden w-full max-w-md self-stretch rounded-box bg-base-200 p-8 lg:block">
        <p className="font-display text-3xl leading-tight font-semibold text-balance">
          A phone isn’t worn out just because someone wants a newer one.
        </p>
        <p className="mt-4 text-quiet">Book a phone in a minute, or sell the one in your drawer.</p>
        <img
          src="/devices/google-pixel-8.svg"
          alt=""
          width="480"
          height="408"
          className="mx-auto mt-8 w-full max-w-80"
        />
      </aside>
    </div>
  );
}

/** The errors above a form on these pages, which include what is wrong with the email address. */
export function accountErrors<Shape extends Record<string, unknown>>(
  form: FormMetadata<Shape>,
  email: FieldMetadata<string>,
): string[] | undefined {
  const ofEmail = email.errors?.filter((error) => error === invalidEmail);
  return form.errors ?? (form.status === "error" && ofEmail?.length ? ofEmail : undefined);
}

/** A link to another of these pages that keeps `redirectTo`. */
export function AccountLink({ to, children }: { to: string; children: ReactNode }) {
  const [query] = useSearchParams();
  const redirectTo = query.get("redirectTo");
  const search = redirectTo ? `?${new URLSearchParams({ redirectTo })}` : "";
  return (
    <Link to={to + search} className="link font-medium text-primary">
      {children}
    </Link>
  );
}

/** Links what people accept by signing up, and sends the versions with the form; nothing while nothing is published. */
export function AgreementNote({ agreement: { terms, privacy } }: { agreement: AcceptedVersions }) {
  if (!terms && !privacy) return null;
  const linkTo = (path: string, title: string) => (
    // Not in this tab, so that what is typed stays.
    <a href={path} target="_blank" rel="noreferrer" className="link">
      {title}
    </a>
  );
  return (
    <p className="text-sm">
      {terms && (
        <>
          <input type="hidden" name="terms" value={terms} />
          By signing up, you agree to our {linkTo("/pages/terms", "Terms")}.{" "}
        </>
      )}
      {privacy && (
        <>
          <input type="hidden" name="privacy" value={privacy} />
          See {linkTo("/pages/privacy", "Privacy")} for how we use your data.
        </>
      )}
    </p>
  );
}

/** The page for a link from an email that is used, expired or replaced. */
export function InvalidLink({ lifetime, children }: { lifetime: string; children: ReactNode }) {
  return (
    <SignInLayout title="This link no longer works">
      <p>
        It’s been used, it expired after {lifetime}, or there’s a newer one. Got several emails? Use the
        newest.
      </p>
      {children}
    </SignInLayout>
  );
}

/** Shows the login form to a signed-in user too. */
export const againParameter = "again";

export const signedInTitle = "You’re logged in";

/** In place of the login or sign-up form, for a user who is signed in already. */
export function SignedInPage({ continueTo, children }: { continueTo: string; children: ReactNode }) {
  return (
    <SignInLayout title={signedInTitle}>
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
    </SignInLayout>
  );
}

/** In place of the login form, for a user who may not open the requested page. */
export function WrongAccountPage({ title, email }: { title: string; email: string }) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  query.set(againParameter, "yes");
  return (
    <SignInLayout title={title}>
      <p className="text-lg wrap-anywhere">
        You’re logged in as <EmailAddress email={email} />. Log in with another account to open this page.
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
    </SignInLayout>
  );
}
