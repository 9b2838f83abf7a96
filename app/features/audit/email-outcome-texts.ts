import type { EmailOutcome } from "#app/db/enums.ts";

/** What became of an email, after "Email" or a number of emails. */
export const emailOutcomeTexts: Record<EmailOutcome, string> = {
  sent: "sent",
  "account deleted": "not sent: the account was deleted",
  "address not confirmed": "not sent: the address isn’t confirmed",
  "switched off": "not sent: switched off on My account",
  "read before": "not sent: read before it was due",
  undone: "not sent: undone before it was due",
  "order over": "not sent: the step was done, or the order had ended",
  "too late": "not sent: it couldn’t go out within a day",
};
