import type { ReactNode } from "react";
import { AccountPage } from "./account-page.tsx";

/** Where the link of a mail leads that cannot be used. */
export function SpentLink({ lifetime, children }: { lifetime: string; children: ReactNode }) {
  return (
    <AccountPage title="This link no longer works">
      <p>
        It has been used already, is older than {lifetime}, or was replaced by a newer one. If you have
        several mails, use the link in the newest.
      </p>
      {children}
    </AccountPage>
  );
}
