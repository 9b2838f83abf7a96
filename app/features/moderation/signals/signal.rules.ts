import type { SignalKind } from "#app/db/enums.ts";

/** A hint for moderators. */
export interface Signal {
  kind: SignalKind;
  /** How many others there are; of a low price, per cent of the usual one. */
  figure: number;
}

/** About several accounts or money, so that they are looked at first. */
export const urgentSignals: Record<string, SignalKind[]> = {
  "Several accounts": ["many accounts", "many reservations", "one partner", "partner at address"],
  "Low price": ["low price"],
};

/** Rows that a signal counts at most. */
export const maxSignalRows = 99;

const counted = (rows: number) => (rows >= maxSignalRows ? `${maxSignalRows} or more` : String(rows));

/** A signal in a sentence. */
export function signalText({ kind, figure }: Signal): string {
  switch (kind) {
    case "same text":
      return `${counted(figure)} listings of other sellers have the same reason for selling, word for word.`;
    case "low price":
      return `The price is ${figure}% of what this model usually sells for.`;
    case "known IMEI":
      return "This IMEI was listed before, in a listing that was removed.";
    case "contact details":
      return "The name, city or reason for selling has a phone number, an email address, a messenger or an IMEI.";
    case "same message":
      return `The owner has sent the same message, word for word, in ${figure} conversations.`;
    case "warned messages":
      return `Recipients in ${figure} conversations were told to be careful with messages of the owner.`;
    case "many accounts":
      return `${counted(figure)} other accounts were made from the same network address within 7 days.`;
    case "many reservations":
      return `Accounts less than a day old and made from the same network address have all ${figure} open ${figure === 1 ? "reservation" : "reservations"} that they may have together, or want more.`;
    case "one partner":
      return `All ${counted(figure)} orders of the owner are with one other account, which trades with nobody else.`;
    case "partner at address":
      return `The owner traded with ${counted(figure)} ${figure === 1 ? "account that was" : "accounts that were"} made from the same network address within 7 days.`;
  }
}
