import { Form, useLocation } from "@remix-run/react";
import { savedStatePath } from "./saved-states.ts";

/** Saves a reserved listing, whose saver is told when it is for sale again. @param redirectTo by default this page */
export function FreeAgainForm({
  phoneId,
  redirectTo,
  className = "",
}: {
  phoneId: string;
  redirectTo?: string;
  className?: string;
}) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={savedStatePath} preventScrollReset>
      <input type="hidden" name="redirectTo" value={redirectTo ?? pathname + search} />
      <button type="submit" name="save" value={phoneId} className={`btn btn-outline ${className}`}>
        Tell me if it’s free again
      </button>
    </Form>
  );
}
