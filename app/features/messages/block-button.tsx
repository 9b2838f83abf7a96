import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { quietButton } from "#app/ui/row-action.tsx";

/** Blocks or unblocks the other side of a conversation. */
export function BlockButton({ intent, other }: { intent: "block" | "unblock"; other: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton
        pending={{ intent }}
        className={intent === "block" ? `btn-sm ${quietButton}` : "btn-outline btn-sm"}
      >
        {`${intent === "block" ? "Block" : "Unblock"} ${other}`}
      </SubmitButton>
    </Form>
  );
}
