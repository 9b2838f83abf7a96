import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/button.tsx";
import { quietButton } from "#app/ui/row-action.tsx";

const questionId = "block-person";

/** Blocks the other side of a conversation, once that is confirmed, or unblocks them. */
export function BlockButton({ isBlocked, other }: { isBlocked: boolean; other: string }) {
  if (isBlocked) {
    return (
      <BlockForm intent="unblock" className="btn-outline btn-sm">
        Unblock<span className="sr-only"> {other}</span>
      </BlockForm>
    );
  }
  return (
    <>
      <button
        type="button"
        // Opens only, so that a double click does not close it again.
        {...{ popovertarget: questionId, popovertargetaction: "show" }}
        className={`btn btn-sm ${quietButton}`}
      >
        Block<span className="sr-only"> {other}</span>
      </button>
      <div
        id={questionId}
        {...{ popover: "auto" }}
        role="dialog"
        aria-labelledby={`${questionId}-title`}
        className="m-auto w-sm max-w-[calc(100vw-2rem)] rounded-box border border-base-300 bg-base-100 p-6 text-base-content backdrop:bg-black/50"
      >
        <h2 id={`${questionId}-title`} className="text-xl font-semibold wrap-anywhere">
          Block {other}?
        </h2>
        <p className="mt-2">
          You won’t get messages from each other any more. We don’t tell them, and you can unblock them at any
          time.
        </p>
        <div className="mt-5 flex flex-wrap gap-3">
          <BlockForm intent="block" className="btn-primary">
            Block
          </BlockForm>
          <button
            type="button"
            {...{ popovertarget: questionId, popovertargetaction: "hide" }}
            className="btn btn-outline"
          >
            Cancel
          </button>
        </div>
      </div>
    </>
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
