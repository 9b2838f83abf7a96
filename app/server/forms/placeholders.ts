import { z } from "zod";

/** What a saved reply may leave open, in braces. */
export const placeholders = ["name", "device"] as const;

/** What is put in place of each; what isn't known stays, for the reader to fill in. */
export type PlaceholderValues = Partial<Record<(typeof placeholders)[number], string | null>>;

const pattern = new RegExp(`\\{(${placeholders.join("|")})\\}`, "gi");

/** Whatever looks like one, also of a name that nothing fills in. */
const anyPlaceholder = /\{\s*\p{L}[\p{L}\d _-]*\}/gu;

export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(pattern, (found, name: string) => {
    return values[name.toLowerCase() as (typeof placeholders)[number]] || found;
  });
}

/** Refuses a text that still has a placeholder, which its reader would see. */
export function withoutPlaceholder(schema: z.ZodString) {
  return schema.check(
    z.refine((text: string) => !text.match(anyPlaceholder), {
      error: ({ input }) => `Replace ${String(input).match(anyPlaceholder)?.[0]} first`,
    }),
  );
}

/** Refuses a text with a placeholder that nothing fills in. */
export function withKnownPlaceholders(schema: z.ZodString) {
  const unknownIn = (text: unknown) =>
    String(text)
      .match(anyPlaceholder)
      ?.find((found) => !placeholders.some((name) => found.toLowerCase() === `{${name}}`));
  return schema.check(
    z.refine((text: string) => unknownIn(text) === undefined, {
      error: ({ input }) => `We can’t fill in ${unknownIn(input)}. Use {name} or {device}, or write it out`,
    }),
  );
}
