import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { Link, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { invalidEmail } from "./account.rules.ts";

/** The layout of the login, sign-up and recovery pages. */
export function AccountPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page-width grid gap-8 py-10 lg:grid-cols-2 lg:items-start lg:gap-16 lg:py-16">
      <section className="mx-auto w-full max-w-md lg:order-2">
        <h1 className="mb-6 text-4xl font-semibold">{title}</h1>
        {children}
      </section>
      <aside className="mx-auto hidden w-full max-w-md self-stretch rounded-box bg-base-200 p-8 lg:block">
        <p className="font-display text-3xl leading-tight font-semibold text-balance">
          A phone is not worn out just because someone wants a newer one.
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

/** The errors above a form on these pages, which include an invalid email address. */
export function accountErrors<Shape extends Record<string, unknown>>(
  form: FormMetadata<Shape>,
  email: FieldMetadata<string>,
): string[] | undefined {
  const hasInvalidEmail = form.status === "error" && email.errors?.includes(invalidEmail);
  return form.errors ?? (hasInvalidEmail ? [invalidEmail] : undefined);
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
