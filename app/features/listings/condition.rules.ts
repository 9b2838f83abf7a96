import type { Condition } from "#app/db/values.ts";

/** What each grade promises, best first. */
export const conditionDescriptions: readonly { condition: Condition; meaning: string }[] = [
  {
    condition: "Excellent",
    meaning: "Looks new: no marks you see at arm's length or feel with a finger. Everything works.",
  },
  {
    condition: "Good",
    meaning: "Small scratches or scuffs that disappear when the screen is on. Everything works.",
  },
  {
    condition: "Fair",
    meaning: "Clearly used: scratches or dents you see at once, none of them a crack. Everything works.",
  },
];

/** Whether 15 digits can be an IMEI: the last is the check digit of the others, and they are not all the same. @see 3GPP TS 23.003, annex B */
export function isImei(digits: string): boolean {
  if (!/^\d{15}$/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    const worth = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (worth > 9 ? worth - 9 : worth);
  }, 0);
  return sum % 10 === 0;
}
