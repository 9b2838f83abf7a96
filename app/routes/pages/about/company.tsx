import { Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";

export function Company() {
  return (
    <section
      aria-labelledby="company"
      className="page-width grid gap-8 pt-16 sm:pt-24 lg:grid-cols-[5fr_6fr] lg:gap-24"
    >
      <h2 id="company" className="text-4xl font-semibold sm:text-5xl">
        {brand.company}
      </h2>
      <div className="max-w-prose text-lg">
        <p>
          {brand.company} is a limited company. It runs the marketplace, verifies sellers and stands behind
          the promises on this page.
        </p>
        <p className="mt-4">
          Tell us if a listing is wrong, a seller behaves unfairly or something on this site does not work.
          You do not need an account.
        </p>
        <p className="mt-6">
          <Link to="/report" className="btn btn-outline">
            Report a problem
          </Link>
        </p>
      </div>
    </section>
  );
}
