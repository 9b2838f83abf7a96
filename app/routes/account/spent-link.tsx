import type { ReactNode } from "react";
import { AccountPage } from "./account-page.tsx";

/** Where the link of a mail leads that cannot be used. */
export function SpentLink({ lifetime, children }: { lifetime: string; children: ReactNode }) {
  return (
    <AccountPage title="This link no longer works">
      <p>
        It may have been used already, be older than {lifetime}, or a newer one has been sent since: then the
        link in the newest mail is the one that works.
      </p>
      {children}
    </AccountPage>
  );
}
