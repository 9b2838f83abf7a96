import { useFetcher } from "@remix-run/react";
import { PendingButton } from "./button.tsx";

/**
 * A button with its own form in a table row. While it is submitting, the row is dimmed and its buttons ignore clicks.
 *
 * @param act what to do, if the row has several actions
 * @param describes what the button acts on, for screen readers
 */
export function RowAction({
  id,
  act,
  describes,
  className = "btn-outline btn-error",
  children,
}: {
  id: string;
  act?: string;
  describes: string;
  className?: string;
  children: string;
}) {
  // The key is shared by the buttons of a row.
  const fetcher = useFetcher({ key: `row-${id}` });
  const isBusy = fetcher.state !== "idle";
  const isOwn = !act || fetcher.formData?.get("act") === act;
  return (
    <fetcher.Form method="post" preventScrollReset className="inline-block" aria-busy={isBusy || undefined}>
      <input type="hidden" name="_id" value={id} />
      {act && <input type="hidden" name="act" value={act} />}
      <PendingButton
        className={`btn-sm ${className}`}
        isBusy={isBusy}
        hasSpinner={isOwn}
        description={describes}
      >
        {children}
      </PendingButton>
    </fetcher.Form>
  );
}
