import { Link } from "@remix-run/react";
import { ArrowLeftIcon } from "./icons.tsx";

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <p className="-my-2.5 pb-3 print:hidden">
      <Link to={to} className="link inline-flex min-h-11 items-center gap-1.5 text-sm">
        <ArrowLeftIcon className="size-4" />
        {children}
      </Link>
    </p>
  );
}
