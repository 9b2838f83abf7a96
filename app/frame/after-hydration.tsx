import type { ReactNode } from "react";
import { ConnectionNotice } from "./connection-notice.tsx";
import { FormDraft } from "./form-draft.tsx";
import { PageFocus } from "./page-focus.tsx";

/** What no page needs before it is used. @param message of the server */
export default function AfterHydration({ message }: { message: string | undefined }): ReactNode {
  return (
    <>
      <FormDraft message={message} />
      <ConnectionNotice />
      <PageFocus />
    </>
  );
}
