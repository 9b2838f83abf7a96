import type { ReactNode } from "react";
import { AccountPage } from "./account-page.tsx";

/** The page for a link from an email that is used, expired or replaced. */
export function InvalidLink({ lifetime, children }: { lifetime: string; children: ReactNode }) {
  return (
    <AccountPage title="This link no longer works">
      <p>
        It has been used, has expired after {lifetime}, or was replaced by a newer link. If you have several
        emails, use the newest.
      </p>
      {children}
    </AccountPage>
  );
}
