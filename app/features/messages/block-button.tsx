import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { quietButton } from "#app/ui/row-action.tsx";

/** Blocks the other side of a conversation, once that is confirmed, or unblocks them. */
export function BlockButton({ isBlocked, other }: { isBlocked: boolean; other: string }) {
  if (isBlocked) {
    return (
      <BlockForm intent="unblock" className="btn-outline btn-sm">
        {`Unblock ${other}`}
      </BlockForm>
    );
  }
  return (
    <ConfirmPopover
      id="block-person"
      label={`Block ${other}`}
      className={`btn-sm ${quietButton}`}
      question={`Block ${other}?`}
      text="You won’t get messages from each other any more. We don’t tell them, and you can unblock them at any time."
    >
      <BlockForm intent="block" className="btn-primary">
        Block
      </BlockForm>
    </ConfirmPopover>
  );
}

function BlockForm({
  intent,
  className,
  children,
}: {
  intent: "block" | "unblock";
  className: string;
  children: string;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton pending={{ intent }} className={className}>
        {children}
      </SubmitButton>
    </Form>
  );
}
