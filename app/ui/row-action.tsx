import { useFetcher } from "@remix-run/react";
import { useState } from "react";
import { PendingButton } from "./button.tsx";
import { actionErrorOf, type RefusedAction } from "./error-box.tsx";
import { useStalledRequest } from "./stalled-request.ts";

/** Quiet until it is pointed at or focused, since it stands in each row. */
export const quietButton =
  "btn-ghost border-base-300 font-normal text-quiet hover:border-error hover:bg-transparent hover:text-error focus-visible:border-error focus-visible:text-error";

/**
 * @param fields that its form sends, too
 * @param target what the button applies to, for screen readers that read it apart from its row
 */
export function RowAction({
  id,
  intent,
  target,
  fields = {},
  className = quietButton,
  children,
}: {
  id: string;
  intent?: string;
  target: string;
  fields?: Record<string, string>;
  className?: string;
  children: string;
}) {
  // The key is shared by the buttons of a row.
  const fetcher = useFetcher<RefusedAction>({ key: `row-${id}` });
  const isBusy = fetcher.state !== "idle";
  const isStalled = useStalledRequest() !== undefined;
  const isOwn = !intent || fetcher.formData?.get("intent") === intent;
  const [wasPressed, setWasPressed] = useState(false);
  const error = wasPressed && !isBusy ? actionErrorOf(fetcher.data) : "";
  return (
    <fetcher.Form
      method="post"
      preventScrollReset
      className="inline-block"
      aria-busy={(isBusy && !isStalled) || undefined}
      onSubmit={() => setWasPressed(true)}
    >
      <input type="hidden" name="_id" value={id} />
      {intent && <input type="hidden" name="intent" value={intent} />}
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <PendingButton
        className={`btn-sm ${className}`}
        isPending={isBusy}
        hasSpinner={isOwn}
        description={target}
      >
        {children}
      </PendingButton>
      {error && (
        <p role="alert" className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </fetcher.Form>
  );
}
