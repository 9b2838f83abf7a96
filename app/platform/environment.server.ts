import { z } from "zod";
import { type Limited, limits } from "./limits.server.ts";
import { secretsOf } from "./secrets.server.ts";

/** What an operator sets: text. */
const settingsSchema = z.object({
  /** Sign the cookies: one secret, or several with commas between, newest first. */
  SESSION_SECRET: z
    .string({ error: "is missing: set it with `wrangler secret put SESSION_SECRET`" })
    .transform(secretsOf)
    .refine((secrets) => secrets.every(({ length }) => length >= 32), {
      error: ({ input }) =>
        Array.isArray(input) && input.length > 1
          ? "holds one shorter than 32 characters (a comma separates two secrets)"
          : "is shorter than 32 characters",
    }),
  LIBSQL_URL: z.url("is not a URL").optional(),
  LIBSQL_AUTH_TOKEN: z.string().optional(),
});

/** What `wrangler.toml` binds beside the settings. */
const environmentSchema = settingsSchema.extend({
  DB: z.custom<D1Database>().optional(),
  ...rateLimits(),
});

/** A binding for each row of the table of limits. */
function rateLimits() {
  const binding = z.custom<RateLimit>((bound) => bound !== undefined, "is not bound");
  return Object.fromEntries(Object.keys(limits).map((name) => [name, binding])) as Record<
    Limited,
    typeof binding
  >;
}

export type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads what the deployment configures, once, at the entry.
 *
 * @throws Error naming each setting or binding that is missing or unfit, without its value.
 */
export function parseEnvironment(raw: unknown): Environment {
  return parse(environmentSchema, raw);
}

/**
 * Checks the settings alone, for who is about to start a Worker with them.
 *
 * @throws Error as `parseEnvironment` does
 */
export function checkSettings(raw: unknown): void {
  parse(settingsSchema, raw);
}

function parse<Output>(schema: z.ZodType<Output>, raw: unknown): Output {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new Error(`Ringback cannot start: ${faults.join("; ")}.`);
}
