import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { ErrorBox } from "#app/ui/error-box.tsx";
import { NavLink } from "#app/ui/nav-link.tsx";

const pages = [
  ["", "Profile"],
  ["/security", "Security"],
  ["/addresses", "Addresses"],
  ["/emails", "Emails"],
  ["/data", "Data"],
] as const;

/** A page of My account: its heading, links to the others, and what is wrong with a form that was refused. */
export function AccountPage({
  result,
  children,
}: {
  result: SubmissionResult<string[]> | undefined;
  children: ReactNode;
}) {
  const messages = new Set(Object.values(result?.error ?? {}).flat());
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">My account</h1>
      <nav aria-label="My account" className="mb-4 flex flex-wrap gap-x-3 sm:gap-x-6">
        {pages.map(([path, label]) => (
          <NavLink
            key={label}
            to={`/manage/account${path}`}
            end={path === ""}
            className="link inline-flex min-h-11 items-center aria-[current=page]:font-semibold aria-[current=page]:no-underline"
          >
            {label}
          </NavLink>
        ))}
      </nav>
      {/* Without JavaScript the page opens at the top, where the failed form may be out of sight. */}
      {messages.size > 0 && <ErrorBox className="mb-6 text-error">{[...messages].join(" ")}</ErrorBox>}
      {children}
    </>
  );
}
