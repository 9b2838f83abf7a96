import { Form } from "@remix-run/react";
import { SubmitButton } from "./button.tsx";

/**
 * A button in a table's row, as a form of its own: it works without JavaScript, and tells the action which row.
 *
 * @param act what to do, when the page knows more than deleting
 * @param describes what the button acts on, for those who hear it apart from its row
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
  return (
    <Form method="post" className="inline-block">
      <input type="hidden" name="_id" value={id} />
      {act && <input type="hidden" name="act" value={act} />}
      <SubmitButton
        className={`btn-sm ${className}`}
        pending={act ? { _id: id, act } : { _id: id }}
        description={describes}
      >
        {children}
      </SubmitButton>
    </Form>
  );
}
