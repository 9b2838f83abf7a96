import type { Condition } from "#app/db/enums.ts";

/** Definitions of the conditions, best first. */
export const conditionDescriptions: readonly { condition: Condition; description: string }[] = [
  {
    condition: "Excellent",
    description: "Looks new: no marks you can see at arm’s length or feel. Everything works.",
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
