import { priceLabel } from "../listings/money.rules.ts";

/** What a seller reads who owes money. */
export const debtText = (cents: number) =>
  `You owe ${priceLabel(cents)}: a buyer gets it back, and it’s no longer in your Stripe account. Until it is, nobody can book your devices. We try again every day.`;
