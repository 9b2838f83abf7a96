/** What a seller reads who owes money. */
export const debtText =
  "A buyer has got it back, but it’s no longer in your Stripe account. Until you’ve paid it, nobody can book your devices.";
