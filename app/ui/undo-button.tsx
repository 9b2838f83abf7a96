import { Form, useLocation } from "@remix-run/react";
import { SubmitButton } from "./button.tsx";

/** Undoes what the viewer did a moment ago, and returns to this page. @param target what it was about, for screen readers */
export function UndoButton({
  id,
  target,
  label = "Undo",
  className = "btn-outline btn-sm",
}: {
  id: string;
  target?: string;
  label?: string;
  className?: string;
}) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/manage/undo" preventScrollReset>
      <input type="hidden" name="_id" value={id} />
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <SubmitButton action="/manage/undo" pending={{ _id: id }} className={className} description={target}>
        {label}
      </SubmitButton>
    </Form>
  );
}
