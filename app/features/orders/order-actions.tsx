import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import type { OrderAct } from "./order.rules.ts";

const buttons: Record<OrderAct, { words: string; hint: string; look: string }> = {
  "hand over": {
    words: "Mark as handed over",
    hint: "Once you have sent it or given it to the buyer. The buyer can no longer cancel then.",
    look: "btn-primary",
  },
  receive: {
    words: "I have received it",
    hint: "Once you hold it and it is what was promised. This finishes the order and cannot be taken back.",
    look: "btn-primary",
  },
  cancel: {
    words: "Cancel order",
    hint: "The phone goes back on sale. You have ten minutes to undo this.",
    look: "btn-outline btn-error",
  },
};

/** A button for each thing that can be done to an order now, with what it means. */
export function OrderActions({ acts }: { acts: OrderAct[] }) {
  return (
    <ul className="grid gap-5">
      {acts.map((act) => (
        <li key={act}>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value={act} />
            <SubmitButton pending={{ intent: act }} className={`w-full ${buttons[act].look}`}>
              {buttons[act].words}
            </SubmitButton>
          </Form>
          <p className="mt-1.5 text-sm text-quiet">{buttons[act].hint}</p>
        </li>
      ))}
    </ul>
  );
}
