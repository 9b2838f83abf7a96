import type { Condition } from "#app/db/values.ts";

/** Definitions of the conditions, best first. */
export const conditionDescriptions: readonly { condition: Condition; description: string }[] = [
  {
    condition: "Excellent",
    description: "Looks new: no marks that you can see at arm’s length or feel. Everything works.",
  },
  {
    condition: "Good",
    description: "Small scratches or scuffs, not visible when the screen is on. Everything works.",
  },
  {
    condition: "Fair",
    description: "Clearly used: visible scratches or dents, but no cracks. Everything works.",
  },
];

/** 15 digits, not all the same, with a correct check digit. @see 3GPP TS 23.003, annex B */
export function isImei(digits: string): boolean {
  if (!/^\d{15}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
