/** What a suspended seller reads of their money. @param until the end of the suspension, null if it is for good */
export const suspendedMoneyText = (until: string | null, dayLabel: (isoTime: string) => string) =>
  until
    ? `We hold what’s due to you until ${dayLabel(until)}, and pay it out after that.`
    : "We hold what’s due to you, and decide about it order by order.";

/** What a seller reads who owes money. */
export const debtText =
  "A buyer has got it back, but it’s no longer in your Stripe account. Until you’ve paid it, nobody can book your devices.";
