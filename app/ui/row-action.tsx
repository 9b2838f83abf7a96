import { useFetcher } from "@remix-run/react";
import { PendingButton } from "./button.tsx";

/** Quiet until it is pointed at or focused, since it stands in each row. */
const quiet =
  "btn-ghost border-base-300 font-normal text-quiet hover:border-error hover:bg-transparent hover:text-error focus-visible:border-error focus-visible:text-error";

/** @param target what the button applies to, for screen readers that read it apart from its row */
export function RowAction({
  id,
  intent,
  target,
  className = quiet,
  children,
}: {
  id: string;
  intent?: string;
  target: string;
  className?: string;
  children: string;
}) {
  // The key is shared by the buttons of a row.
  const fetcher = useFetcher({ key: `row-${id}` });
  const isBusy = fetcher.state !== "idle";
  const isOwn = !intent || fetcher.formData?.get("intent") === intent;
  return (
    <fetcher.Form method="post" preventScrollReset className="inline-block" aria-busy={isBusy || undefined}>
      <input type="hidden" name="_id" value={id} />
      {intent && <input type="hidden" name="intent" value={intent} />}
      <PendingButton
        className={`btn-sm ${className}`}
        isBusy={isBusy}
        hasSpinner={isOwn}
        description={target}
      >
        {children}
      </PendingButton>
    </fetcher.Form>
  );
}
