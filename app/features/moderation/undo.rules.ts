import type { UndoOutcome } from "./undo.server.ts";

const success = (message: string) => ({ kind: "success", message }) as const;
const failure = (message: string) => ({ kind: "error", message }) as const;

const messages = {
  "user restored": success("User Restored"),
  "phone restored": success("Post Restored"),
  "order restored": success("Order Restored"),
  "user impossible": failure("Someone has signed up with this address since, so the user cannot come back."),
  "phone impossible": failure("Its seller has been removed since, so the post cannot come back."),
  "order impossible": failure("This phone has been booked or removed since, so the order cannot come back."),
  late: failure("This can no longer be undone."),
} as const satisfies Record<UndoOutcome, { kind: "success" | "error"; message: string }>;

/** What an actor is told of an undo. */
export function undoMessage(outcome: UndoOutcome) {
  return messages[outcome];
}
