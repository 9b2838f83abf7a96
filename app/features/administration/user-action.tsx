import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";

/** A button of a user's page. */
export function UserAction({
  intent,
  className,
  children,
}: {
  intent: string;
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
