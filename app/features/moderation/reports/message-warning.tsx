import { Form } from "@remix-run/react";
import type { ContentReportReason } from "#app/db/enums.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { AlertIcon } from "#app/ui/icons.tsx";
import { quietButton } from "#app/ui/row-action.tsx";

/**
 * Why the viewer should be careful with a message, and a button that reports it.
 *
 * @param label names the message
 * @param account the email address of the viewer
 */
export function MessageWarning({
  text,
  messageId,
  label,
  account,
  isReported,
}: {
  text: string;
  messageId: string;
  label: string;
  account: string;
  isReported: boolean;
}) {
  const action = `/report/message/${messageId}`;
  return (
    <div className="mt-2 flex gap-2 text-sm">
      <AlertIcon className="mt-0.5 size-4 shrink-0 text-error" />
      <div className="min-w-0">
        <p className="text-pretty">{text}</p>
        {isReported ? (
          <p className="mt-1 text-quiet">You’ve reported it. A moderator will look at it.</p>
        ) : (
          <Form method="post" action={action} preventScrollReset className="mt-1">
            <input type="hidden" name="account" value={account} />
            <input type="hidden" name="reason" value={"fraud" satisfies ContentReportReason} />
            <SubmitButton action={action} className={`btn-sm ${quietButton}`}>
              Report as fraud<span className="sr-only">: {label}</span>
            </SubmitButton>
          </Form>
        )}
      </div>
    </div>
  );
}
