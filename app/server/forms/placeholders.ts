import { z } from "zod";

/** What a saved reply may leave open, in braces. */
export const placeholders = ["name", "device"] as const;

/** What is put in place of each; what isn't known stays for whoever reads the text. */
export type PlaceholderValues = Partial<Record<(typeof placeholders)[number], string | null>>;

const pattern = new RegExp(`\\{(${placeholders.join("|")})\\}`, "gi");

export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(pattern, (found, name: string) => {
    return values[name.toLowerCase() as (typeof placeholders)[number]] || found;
  });
}

/** Refuses a text that still has a placeholder, which its reader would see. */
export function withoutPlaceholder(schema: z.ZodString) {
  return schema.check(
    z.refine((text: string) => !text.match(pattern), {
      error: ({ input }) => `Replace ${String(input).match(pattern)?.[0]} first`,
    }),
  );
}
