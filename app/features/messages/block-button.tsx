import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { quietButton } from "#app/ui/row-action.tsx";

/** Blocks the other side of a conversation, once that is confirmed, or unblocks them. */
export function BlockButton({ isBlocked, other }: { isBlocked: boolean; other: string }) {
  const name = <span className="sr-only"> {other}</span>;
  if (isBlocked) {
    return (
      <BlockForm intent="unblock" className="btn-outline btn-sm">
        Unblock{name}
      </BlockForm>
    );
  }
  return (
    <ConfirmPopover
      id="block-person"
      label={<>Block{name}</>}
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
  children: ReactNode;
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
